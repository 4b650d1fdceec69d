import type { Domain } from "./domains.ts";

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const constantOf = (thing: string, state: string) =>
  thing + state.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The thing itself and what may happen to it. */
export function rules({ name, thing, what, fields, states, rule }: Domain): string {
  const first = constantOf(thing, states[0] ?? "");
  return `// Package ${name} ${what}.
package ${name}

import (
	"errors"
	"fmt"
	"time"
)

// ${thing}State is where a ${lower(thing)} stands.
type ${thing}State string

const (
${states.map((state) => `\t${constantOf(thing, state)} ${thing}State = "${state}"`).join("\n")}
)

// Err${thing}State is returned when a ${lower(thing)} cannot go where it was asked to go.
var Err${thing}State = errors.New("${lower(thing)} cannot change to that state")

// ${thing} is one row of the ${name} tables. ${rule}.
type ${thing} struct {
	ID        int64
	State     ${thing}State
${fields.map((field) => `\t${field.padEnd(9)} ${field.endsWith("At") ? "time.Time" : "string"}`).join("\n")}
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Next tells which states a ${lower(thing)} may reach from where it stands.
func (t ${thing}) Next() []${thing}State {
	switch t.State {
${states
  .slice(0, -1)
  .map(
    (state, index) =>
      `\tcase ${constantOf(thing, state)}:\n\t\treturn []${thing}State{${constantOf(thing, states[index + 1] ?? state)}, ${constantOf(thing, states.at(-1) ?? state)}}`,
  )
  .join("\n")}
	default:
		return nil
	}
}

// Move changes the state of a ${lower(thing)} and stamps the time, or refuses.
func (t *${thing}) Move(to ${thing}State, now time.Time) error {
	for _, allowed := range t.Next() {
		if allowed == to {
			t.State = to
			t.UpdatedAt = now.UTC()
			return nil
		}
	}
	return fmt.Errorf("move ${lower(thing)} %d from %s to %s: %w", t.ID, t.State, to, Err${thing}State)
}

// Validate tells what is missing before a ${lower(thing)} may leave ${first}.
func (t ${thing}) Validate() error {
	var problems []error
${fields
  .filter((field) => !field.endsWith("At"))
  .map(
    (field) =>
      `\tif t.${field} == "" {\n\t\tproblems = append(problems, errors.New("${lower(field)} is missing"))\n\t}`,
  )
  .join("\n")}
	return errors.Join(problems...)
}
`;
}

export function store({ name, thing, fields }: Domain): string {
  const columns = fields.map((field) => field.replaceAll(/(?<=[a-z])([A-Z0-9])/g, "_$1").toLowerCase());
  return `package ${name}

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// Table keeps the ${lower(thing)}s in the database of the server.
type Table struct{ db *sql.DB }

const select${thing} = \`SELECT id, state, ${columns.join(", ")}, created_at, updated_at FROM ${name}\`

// Open${thing}Table makes the table where it is missing.
func Open${thing}Table(ctx context.Context, db *sql.DB) (*Table, error) {
	_, err := db.ExecContext(ctx, \`CREATE TABLE IF NOT EXISTS ${name} (
		id INTEGER PRIMARY KEY,
		state TEXT NOT NULL,
${columns.map((column) => `\t\t${column} TEXT NOT NULL,`).join("\n")}
		created_at TEXT NOT NULL,
		updated_at TEXT NOT NULL
	)\`)
	if err != nil {
		return nil, fmt.Errorf("open ${name} table: %w", err)
	}
	return &Table{db: db}, nil
}

// Save${thing} writes a ${lower(thing)} and gives its number.
func (t *Table) Save${thing}(ctx context.Context, row ${thing}) (int64, error) {
	result, err := t.db.ExecContext(ctx,
		"INSERT INTO ${name} (state, ${columns.join(", ")}, created_at, updated_at) VALUES (${["?", "?", "?", ...columns.map(() => "?")].join(", ")})",
		row.State, ${fields.map((field) => `row.${field}`).join(", ")}, row.CreatedAt.Format(time.RFC3339), row.UpdatedAt.Format(time.RFC3339))
	if err != nil {
		return 0, fmt.Errorf("save ${lower(thing)}: %w", err)
	}
	return result.LastInsertId()
}

// ${thing}sIn gives the ${lower(thing)}s in a state, oldest first, a page at a time.
func (t *Table) ${thing}sIn(ctx context.Context, state ${thing}State, after int64, limit int) ([]${thing}, error) {
	rows, err := t.db.QueryContext(ctx, select${thing}+" WHERE state = ? AND id > ? ORDER BY id LIMIT ?", state, after, limit)
	if err != nil {
		return nil, fmt.Errorf("list ${name}: %w", err)
	}
	defer rows.Close()
	var found []${thing}
	for rows.Next() {
		var row ${thing}
		var created, updated string
		if err := rows.Scan(&row.ID, &row.State, ${fields.map((field) => `&row.${field}`).join(", ")}, &created, &updated); err != nil {
			return nil, fmt.Errorf("read ${lower(thing)}: %w", err)
		}
		row.CreatedAt, _ = time.Parse(time.RFC3339, created)
		row.UpdatedAt, _ = time.Parse(time.RFC3339, updated)
		found = append(found, row)
	}
	return found, rows.Err()
}

// Delete${thing}sBefore removes what is older than a day.
func (t *Table) Delete${thing}sBefore(ctx context.Context, day time.Time) (int64, error) {
	result, err := t.db.ExecContext(ctx, "DELETE FROM ${name} WHERE updated_at < ?", day.UTC().Format(time.RFC3339))
	if err != nil {
		return 0, fmt.Errorf("delete old ${name}: %w", err)
	}
	return result.RowsAffected()
}
`;
}

export function handlers({ name, thing, fields, states }: Domain): string {
  return `package ${name}

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"
)

// Routes adds the handlers of ${name} to the back office.
func Routes(mux *http.ServeMux, table *Table, now func() time.Time) {
	mux.HandleFunc("GET /office/${name}", list${thing}s(table))
	mux.HandleFunc("POST /office/${name}", create${thing}(table, now))
}

type ${lower(thing)}Body struct {
${fields.map((field) => `\t${field} string \`json:"${lower(field)}"\``).join("\n")}
}

// list${thing}s answers a page of ${lower(thing)}s; the state is ${states[0]} unless the request names another.
func list${thing}s(table *Table) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		state := ${thing}State(r.URL.Query().Get("state"))
		if state == "" {
			state = "${states[0]}"
		}
		after, err := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
		if err != nil {
			after = 0
		}
		found, err := table.${thing}sIn(r.Context(), state, after, 50)
		if err != nil {
			http.Error(w, "internal", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(found)
	}
}

// create${thing} reads a ${lower(thing)} from the request, checks it and saves it.
func create${thing}(table *Table, now func() time.Time) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var body ${lower(thing)}Body
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&body); err != nil {
			http.Error(w, "bad_request", http.StatusBadRequest)
			return
		}
		row := ${thing}{State: "${states[0]}", CreatedAt: now(), UpdatedAt: now()}
		if err := row.Validate(); err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		id, err := table.Save${thing}(r.Context(), row)
		if err != nil {
			http.Error(w, "internal", http.StatusInternalServerError)
			return
		}
		w.WriteHeader(http.StatusCreated)
		_ = json.NewEncoder(w).Encode(map[string]int64{"id": id})
	}
}
`;
}

export function syncJob({ name, thing, partner, quirk, states }: Domain): string {
  return `package ${name}

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"time"
)

// ${partner} is the client of the other side.
type ${partner} struct {
	BaseURL string
	Token   string
	HTTP    *http.Client
}

// Push hands one ${lower(thing)} to ${partner} and reads its answer. ${quirk}
func (p *${partner}) Push(ctx context.Context, row ${thing}) (${thing}State, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, p.BaseURL+"/${name}", nil)
	if err != nil {
		return row.State, fmt.Errorf("ask ${partner}: %w", err)
	}
	request.Header.Set("Authorization", "Bearer "+p.Token)
	answer, err := p.HTTP.Do(request)
	if err != nil {
		return row.State, fmt.Errorf("push ${lower(thing)} %d: %w", row.ID, err)
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusTooManyRequests {
		return row.State, fmt.Errorf("push ${lower(thing)} %d: ${partner} is busy", row.ID)
	}
	var body struct {
		State ${thing}State \`json:"state"\`
	}
	if err := json.NewDecoder(answer.Body).Decode(&body); err != nil {
		return row.State, fmt.Errorf("read answer of ${partner}: %w", err)
	}
	return body.State, nil
}

// Sync${thing}s pushes everything that waits, page by page, until the context ends.
func Sync${thing}s(ctx context.Context, table *Table, partner *${partner}, now func() time.Time) error {
	var after int64
	for ctx.Err() == nil {
		waiting, err := table.${thing}sIn(ctx, "${states[0]}", after, 100)
		if err != nil {
			return err
		}
		if len(waiting) == 0 {
			return nil
		}
		for _, row := range waiting {
			after = row.ID
			state, err := partner.Push(ctx, row)
			if err != nil {
				log.Printf("${name}: %d stays %s", row.ID, row.State)
				continue
			}
			if err := row.Move(state, now()); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}
`;
}

export function tests({ name, thing, states }: Domain): string {
  const [first = "", second = ""] = states;
  return `package ${name}

import (
	"errors"
	"testing"
	"time"
)

func Test${thing}MovesForwardOnly(t *testing.T) {
	row := ${thing}{State: "${second}"}
	if err := row.Move("${first}", time.Unix(0, 0)); !errors.Is(err, Err${thing}State) {
		t.Fatalf("moved back: %v", err)
	}
}

func Test${thing}StampsItsChange(t *testing.T) {
	row := ${thing}{State: "${first}"}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if err := row.Move("${second}", now); err != nil {
		t.Fatal(err)
	}
	if !row.UpdatedAt.Equal(now) {
		t.Fatalf("stamped %v", row.UpdatedAt)
	}
}

func TestEmpty${thing}IsNotValid(t *testing.T) {
	if err := (${thing}{}).Validate(); err == nil {
		t.Fatal("an empty ${lower(thing)} passed")
	}
}
`;
}

export function pageOf({ name, thing, what, fields }: Domain): string {
  const type = `${thing}Row`;
  return `import { useEffect, useState } from "preact/hooks";

export interface ${type} {
  id: number;
  state: string;
${fields.map((field) => `  ${lower(field)}: string;`).join("\n")}
}

/** Back office: the part that ${what}. */
export function ${thing}Page() {
  const [rows, setRows] = useState<${type}[]>([]);
  const [error, setError] = useState<string>();
  useEffect(() => {
    load${thing}s().then(setRows, (thrown: unknown) => setError(String(thrown)));
  }, []);
  if (error) return <p role="alert">{error}</p>;
  return (
    <table>
      <thead>
        <tr>
${fields.map((field) => `          <th>${field}</th>`).join("\n")}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} data-state={row.state}>
${fields.map((field) => `            <td>{row.${lower(field)}}</td>`).join("\n")}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export async function load${thing}s(): Promise<${type}[]> {
  const answer = await fetch("/office/${name}");
  if (!answer.ok) throw new Error(\`office answered \${answer.status}\`);
  return (await answer.json()) as ${type}[];
}
`;
}
