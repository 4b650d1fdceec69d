// Trains a table of word-piece vectors for retrieval.
// A text is the weighted sum of its pieces' rows, normalised. The loss is symmetric InfoNCE: the other pairs of a batch are
// the wrong answers. Adam updates only the rows that a batch touched. One thread and a fixed seed: the same bytes every time.
//   gcc -O3 -march=x86-64-v3 train.c -o train -lm
//   ./train train=FILE dev=FILE init=FILE out=FILE rows=N dims=N [epochs=2] [batch=1024] [rate=0.008] [ranks=FILE] [names of settings below]
// With epochs=0 it only measures.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint16_t u16;
enum { HEADER = 6, MAX_PIECES = 320, KINDS = 8, MAX_LANGUAGES = 64 };

// A record: language, kind, package, pieces of the question, of head, of rest and of body; then the pieces in that order.
typedef struct { int count; u16 *data; size_t *at; } Pairs;
typedef struct { int count; int piece[MAX_PIECES]; float weight[MAX_PIECES]; } Text;

static int dims, rows, maxBody;
static float fade;
static float *table, *gradient, *moment, *variance;

static const char *setting(int argc, char **argv, const char *name, const char *otherwise) {
  size_t length = strlen(name);
  for (int i = 1; i < argc; i++)
    if (!strncmp(argv[i], name, length) && argv[i][length] == '=') return argv[i] + length + 1;
  return otherwise;
}
static double number(int argc, char **argv, const char *name, double otherwise) {
  const char *text = setting(argc, argv, name, NULL);
  return text ? atof(text) : otherwise;
}

static uint64_t state = 88172645463325252ull;
static uint64_t next(void) {
  state ^= state << 13; state ^= state >> 7; state ^= state << 17;
  return state;
}
static double uniform(void) { return (next() >> 11) * (1.0 / 9007199254740992.0); }
static void shuffle(int *list, int count) {
  for (int i = count - 1; i > 0; i--) { int j = next() % (i + 1), kept = list[i]; list[i] = list[j]; list[j] = kept; }
}
static void *allocate(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (!memory) { fprintf(stderr, "out of memory\n"); exit(1); }
  return memory;
}

static Pairs readPairs(const char *file) {
  FILE *input = fopen(file, "rb");
  int32_t count;
  if (!input || fread(&count, 4, 1, input) != 1) { perror(file); exit(1); }
  fseek(input, 0, SEEK_END);
  size_t length = (ftell(input) - 4) / 2;
  fseek(input, 4, SEEK_SET);
  Pairs pairs = { count, allocate(length * 2 + 2), allocate(sizeof(size_t) * (count + 1)) };
  if (fread(pairs.data, 2, length, input) != length) { perror(file); exit(1); }
  fclose(input);
  size_t at = 0;
  for (int i = 0; i < count; i++) {
    u16 *record = pairs.data + at;
    pairs.at[i] = at;
    at += HEADER + 1 + record[3] + record[4] + record[5] + record[6];
  }
  return pairs;
}

static void add(Text *text, const u16 *pieces, int count) {
  for (int i = 0; i < count && text->count < MAX_PIECES; i++) text->piece[text->count++] = pieces[i];
}
static void question(const u16 *record, Text *text) {
  text->count = 0;
  add(text, record + HEADER + 1, record[3]);
  for (int i = 0; i < text->count; i++) text->weight[i] = 1;
}
static void document(const u16 *record, Text *text, int withRest) {
  const u16 *pieces = record + HEADER + 1 + record[3];
  text->count = 0;
  add(text, pieces, record[4]);
  if (withRest) add(text, pieces + record[4], record[5]);
  add(text, pieces + record[4] + record[5], record[6] < maxBody ? record[6] : maxBody);
  for (int i = 0; i < text->count; i++) text->weight[i] = 1 / (1 + i / fade);
}

/** The normalised vector of a text, and its length before. */
static float embed(const Text *text, float *vector) {
  memset(vector, 0, sizeof(float) * dims);
  for (int i = 0; i < text->count; i++) {
    const float *row = table + (size_t)text->piece[i] * dims;
    float weight = text->weight[i];
    for (int d = 0; d < dims; d++) vector[d] += weight * row[d];
  }
  double square = 1e-12;
  for (int d = 0; d < dims; d++) square += (double)vector[d] * vector[d];
  float length = sqrt(square);
  for (int d = 0; d < dims; d++) vector[d] /= length;
  return length;
}

/** out (n × m) = scale × a (n × k) · b (k × m), four rows at a time. */
static void multiply(float *restrict out, const float *a, const float *b, int n, int k, int m, float scale) {
  memset(out, 0, sizeof(float) * n * m);
  for (int from = 0; from < m; from += 256) {
    int to = from + 256 < m ? from + 256 : m;
    for (int i = 0; i + 3 < n; i += 4) {
      float *restrict r0 = out + (size_t)i * m, *restrict r1 = r0 + m, *restrict r2 = r1 + m, *restrict r3 = r2 + m;
      for (int x = 0; x < k; x++) {
        const float *row = b + (size_t)x * m;
        float a0 = scale * a[(size_t)i * k + x], a1 = scale * a[(size_t)(i + 1) * k + x];
        float a2 = scale * a[(size_t)(i + 2) * k + x], a3 = scale * a[(size_t)(i + 3) * k + x];
        for (int j = from; j < to; j++) { r0[j] += a0 * row[j]; r1[j] += a1 * row[j]; r2[j] += a2 * row[j]; r3[j] += a3 * row[j]; }
      }
    }
  }
}
static void transpose(float *out, const float *in, int n, int m) {
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) out[(size_t)j * n + i] = in[(size_t)i * m + j];
}

/** MRR@10 by language and kind on pairs that were not trained on; prints it, writes each answer to `ranks`, returns the mean. */
static double evaluate(const Pairs *dev, char **languages, int languageCount, const char *ranks) {
  FILE *each = ranks ? fopen(ranks, "w") : NULL;
  double sum = 0;
  int measured = 0;
  for (int language = 0; language < languageCount; language++) {
    int *list = allocate(sizeof(int) * (dev->count + 1)), count = 0;
    for (int i = 0; i < dev->count && count < 4000; i++) if (dev->data[dev->at[i]] == language) list[count++] = i;
    count -= count % 4;
    if (count >= 100) {
      float *documents = allocate(4ul * count * dims), *turned = allocate(4ul * count * dims), *questions = allocate(16ul * dims), *scores = allocate(16ul * count);
      double total[KINDS] = { 0 };
      int asked[KINDS] = { 0 };
      Text text;
      for (int i = 0; i < count; i++) { document(dev->data + dev->at[list[i]], &text, 0); embed(&text, documents + (size_t)i * dims); }
      transpose(turned, documents, count, dims);
      for (int i = 0; i < count; i += 4) {
        for (int k = 0; k < 4; k++) { question(dev->data + dev->at[list[i + k]], &text); embed(&text, questions + (size_t)k * dims); }
        multiply(scores, questions, turned, 4, dims, count, 1);
        for (int k = 0; k < 4; k++) {
          int rank = 1, kind = dev->data[dev->at[list[i + k]] + 1];
          // The same code may answer two questions: equal scores are not a miss.
          for (int j = 0; j < count; j++) rank += scores[(size_t)k * count + j] > scores[(size_t)k * count + i + k] + 1e-6f;
          total[kind] += rank <= 10 ? 1.0 / rank : 0;
          asked[kind]++;
          if (each) fprintf(each, "%d\t%s\t%d\t%d\t%.4f\n", list[i + k], languages[language], kind, dev->data[dev->at[list[i + k]] + 2], rank <= 10 ? 1.0 / rank : 0);
        }
      }
      printf("  %s", languages[language]);
      for (int kind = 0; kind < KINDS; kind++) if (asked[kind]) printf(" %d:%.3f(%d)", kind, total[kind] / asked[kind], asked[kind]);
      printf("\n");
      if (asked[0]) { sum += total[0] / asked[0]; measured++; }
      free(documents); free(turned); free(questions); free(scores);
    }
    free(list);
  }
  if (each) fclose(each);
  printf("\n  mean MRR@10, first sentence: %.4f over %d languages\n", measured ? sum / measured : 0, measured);
  fflush(stdout);
  return measured ? sum / measured : 0;
}

static void push(float *vector, const float *side, float length) {
  double along = 0;
  for (int d = 0; d < dims; d++) along += (double)vector[d] * side[d];
  for (int d = 0; d < dims; d++) vector[d] = (vector[d] - along * side[d]) / length;
}
static int touch(const Text *text, const float *side, unsigned char *touched, int *list, int count) {
  for (int i = 0; i < text->count; i++) {
    int piece = text->piece[i];
    float *row = gradient + (size_t)piece * dims, weight = text->weight[i];
    if (!touched[piece]) { touched[piece] = 1; list[count++] = piece; }
    for (int d = 0; d < dims; d++) row[d] += weight * side[d];
  }
  return count;
}

/** Pairs of one package side by side in blocks: its other functions are the wrong answers that look right. */
static void arrange(const Pairs *pairs, int *order, int *arranged, int block) {
  int count = pairs->count, blocks = count / block, shift = next() % block;
  for (int from = 0; from < count;) {
    int to = from;
    u16 package = pairs->data[pairs->at[order[from]] + 2];
    while (to < count && pairs->data[pairs->at[order[to]] + 2] == package) to++;
    shuffle(order + from, to - from);
    from = to;
  }
  int *blockOrder = allocate(sizeof(int) * (blocks + 1));
  for (int i = 0; i < blocks; i++) blockOrder[i] = i;
  shuffle(blockOrder, blocks);
  for (int i = 0; i < blocks; i++)
    for (int k = 0; k < block; k++) arranged[i * block + k] = order[(blockOrder[i] * block + k + shift) % count];
  free(blockOrder);
}

/** Softmax over rows and over columns; `weights` becomes the gradient of the mean of both losses, the loss is returned. */
static double contrast(const float *scores, float *weights, float *columnMost, double *columnSum, int batch) {
  double loss = 0;
  for (int j = 0; j < batch; j++) { columnMost[j] = -1e30f; columnSum[j] = 0; }
  for (int i = 0; i < batch; i++) for (int j = 0; j < batch; j++) if (scores[(size_t)i * batch + j] > columnMost[j]) columnMost[j] = scores[(size_t)i * batch + j];
  for (int i = 0; i < batch; i++) {
    const float *row = scores + (size_t)i * batch;
    float *to = weights + (size_t)i * batch, most = row[0];
    double sum = 0;
    for (int j = 1; j < batch; j++) most = row[j] > most ? row[j] : most;
    for (int j = 0; j < batch; j++) { to[j] = expf(row[j] - most); sum += to[j]; columnSum[j] += expf(row[j] - columnMost[j]); }
    for (int j = 0; j < batch; j++) to[j] /= sum;
    loss += log(sum) + most - row[i];
  }
  for (int i = 0; i < batch; i++)
    for (int j = 0; j < batch; j++) {
      float *to = weights + (size_t)i * batch + j;
      *to = 0.5f * (*to + expf(scores[(size_t)i * batch + j] - columnMost[j]) / (float)columnSum[j]) - (i == j);
    }
  return loss / batch;
}

static void save(const char *file) {
  FILE *output = fopen(file, "wb");
  if (!output || fwrite(table, sizeof(float) * dims, rows, output) != (size_t)rows || fclose(output)) { perror(file); exit(1); }
}

int main(int argc, char **argv) {
  dims = number(argc, argv, "dims", 384); rows = number(argc, argv, "rows", 30522);
  maxBody = number(argc, argv, "body", 160); fade = number(argc, argv, "fade", 24);
  int batch = number(argc, argv, "batch", 1024), epochs = number(argc, argv, "epochs", 2), block = number(argc, argv, "block", 32);
  double rate = number(argc, argv, "rate", 0.008), warmth = number(argc, argv, "temperature", 0.05), restShare = number(argc, argv, "rest", 0.5);
  state += (uint64_t)number(argc, argv, "seed", 1) * 7919;
  const char *out = setting(argc, argv, "out", "table.f32");
  char *names = strdup(setting(argc, argv, "languages", "code")), *languages[MAX_LANGUAGES];
  int languageCount = 0;
  for (char *name = strtok(names, ","); name && languageCount < MAX_LANGUAGES; name = strtok(NULL, ",")) languages[languageCount++] = name;

  size_t cells = (size_t)rows * dims;
  table = allocate(4 * cells); gradient = allocate(4 * cells); moment = allocate(4 * cells); variance = allocate(4 * cells);
  FILE *input = fopen(setting(argc, argv, "init", ""), "rb");
  if (!input || fread(table, sizeof(float) * dims, rows, input) != (size_t)rows) { fprintf(stderr, "init= must hold %d rows of %d\n", rows, dims); return 1; }
  fclose(input);
  Pairs dev = readPairs(setting(argc, argv, "dev", "dev.bin")), train = readPairs(setting(argc, argv, "train", "train.bin"));
  printf("before\n"); evaluate(&dev, languages, languageCount, epochs ? NULL : setting(argc, argv, "ranks", NULL));
  if (!epochs) return 0;

  size_t side = 4ul * batch * dims, square = 4ul * batch * batch;
  float *asked = allocate(side), *answered = allocate(side), *askedGradient = allocate(side), *answeredGradient = allocate(side), *turned = allocate(side);
  float *scores = allocate(square), *weights = allocate(square), *turnedWeights = allocate(square);
  float *askedLength = allocate(4 * batch), *answeredLength = allocate(4 * batch), *columnMost = allocate(4 * batch);
  double *columnSum = allocate(8 * batch), loss = 0;
  Text *questions = allocate(sizeof(Text) * batch), *documents = allocate(sizeof(Text) * batch);
  uint32_t *hash = allocate(4 * batch);
  unsigned char *touched = allocate(rows);
  int *list = allocate(sizeof(int) * rows), *order = allocate(sizeof(int) * (train.count + block)), *arranged = allocate(sizeof(int) * (train.count + block));
  for (int i = 0; i < train.count; i++) order[i] = i;
  int perEpoch = train.count / block * block / batch, steps = epochs * perEpoch, step = 0;
  printf("%d pairs, %d steps of %d\n", train.count, steps, batch);

  for (int epoch = 0; epoch < epochs; epoch++) {
    arrange(&train, order, arranged, block);
    for (int from = 0; from + batch <= train.count / block * block; from += batch, step++) {
      double now = rate * (step < 50 ? (step + 1) / 50.0 : 1) * (1 - (double)step / (steps + 1));
      for (int i = 0; i < batch; i++) {
        const u16 *record = train.data + train.at[arranged[from + i]];
        question(record, questions + i);
        document(record, documents + i, uniform() < restShare);
        askedLength[i] = embed(questions + i, asked + (size_t)i * dims);
        answeredLength[i] = embed(documents + i, answered + (size_t)i * dims);
        hash[i] = 17;
        for (int k = 0; k < questions[i].count; k++) hash[i] = hash[i] * 31 + questions[i].piece[k];
      }
      transpose(turned, answered, batch, dims);
      multiply(scores, asked, turned, batch, dims, batch, 1 / warmth);
      // The same question asked twice has two right answers.
      for (int i = 0; i < batch; i++) for (int j = i + 1; j < batch; j++) if (hash[i] == hash[j]) scores[(size_t)i * batch + j] = scores[(size_t)j * batch + i] = -1e4f;
      loss += contrast(scores, weights, columnMost, columnSum, batch);
      multiply(askedGradient, weights, answered, batch, batch, dims, 1 / warmth / batch);
      transpose(turnedWeights, weights, batch, batch);
      multiply(answeredGradient, turnedWeights, asked, batch, batch, dims, 1 / warmth / batch);
      int count = 0;
      for (int i = 0; i < batch; i++) {
        push(askedGradient + (size_t)i * dims, asked + (size_t)i * dims, askedLength[i]);
        push(answeredGradient + (size_t)i * dims, answered + (size_t)i * dims, answeredLength[i]);
        count = touch(questions + i, askedGradient + (size_t)i * dims, touched, list, count);
        count = touch(documents + i, answeredGradient + (size_t)i * dims, touched, list, count);
      }
      float first = 1 - pow(0.9, step + 1), second = 1 - pow(0.999, step + 1);
      for (int i = 0; i < count; i++) {
        size_t at = (size_t)list[i] * dims;
        touched[list[i]] = 0;
        for (int d = 0; d < dims; d++) {
          float g = gradient[at + d], m = moment[at + d] = 0.9f * moment[at + d] + 0.1f * g;
          float v = variance[at + d] = 0.999f * variance[at + d] + 0.001f * g * g;
          gradient[at + d] = 0;
          table[at + d] -= (float)now * (m / first) / (sqrtf(v / second) + 1e-8f);
        }
      }
      if (step % 50 == 49) { printf("step %d of %d, loss %.4f\n", step + 1, steps, loss / 50); loss = 0; fflush(stdout); }
    }
    printf("epoch %d\n", epoch + 1); evaluate(&dev, languages, languageCount, setting(argc, argv, "ranks", NULL));
    save(out);
  }
  return 0;
}
