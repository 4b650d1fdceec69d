import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { NavigationTruth, TruthTarget, TruthUse } from "./navigation-truth.ts";

/** What the TypeScript compiler says about the names of all files below a directory. */
export function truthOfScripts(root: string): NavigationTruth {
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
    (file) => /(?<!\.d)\.[cm]?tsx?$/.test(file) && !file.includes("node_modules"),
  );
  const files = paths.map((path) => join(root, path));
  const program = ts.createProgram(files, {
    allowImportingTsExtensions: true,
    noEmit: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve,
    types: [],
    skipLibCheck: true,
  });
  const reader = new ScriptReader(root, program.getTypeChecker());
  for (const path of paths) {
    const file = program.getSourceFile(join(root, path));
    if (file) reader.visit(file, path);
  }
  return {
    files: new Set(paths),
    definitions: reader.definitions,
    others: reader.others,
    uses: reader.uses,
  };
}

class ScriptReader {
  readonly definitions: TruthTarget[] = [];
  readonly others: TruthTarget[] = [];
  readonly uses: TruthUse[] = [];
  readonly #root: string;
  readonly #checker: ts.TypeChecker;

  constructor(root: string, checker: ts.TypeChecker) {
    this.#root = root;
    this.#checker = checker;
  }

  visit(node: ts.Node, path: string): void {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) this.#read(node, path);
    const name = otherNameOf(node);
    if (name !== undefined) this.others.push({ path, line: placeOf(node).line + 1, name });
    ts.forEachChild(node, (child) => this.visit(child, path));
  }

  #read(node: ts.Identifier | ts.PrivateIdentifier, path: string): void {
    for (const declaration of this.#symbolOf(node)?.declarations ?? []) {
      const target = this.#targetOf(declaration);
      if (!target) continue;
      const { line, character } = placeOf(node);
      if (ts.getNameOfDeclaration(declaration) === node) this.definitions.push(target);
      else if (!isNameOf(node)) this.uses.push({ path, line: line + 1, column: character + 1, target });
    }
  }

  #symbolOf(node: ts.Identifier | ts.PrivateIdentifier): ts.Symbol | undefined {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.#checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.#checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #targetOf(declaration: ts.Declaration): TruthTarget | undefined {
    const { fileName } = declaration.getSourceFile();
    const name = ts.getNameOfDeclaration(declaration);
    if (!fileName.startsWith(`${this.#root}/`) || !name || !isCounted(declaration)) return undefined;
    return {
      path: fileName.slice(this.#root.length + 1),
      line: placeOf(name).line + 1,
      name: name.getText(),
    };
  }
}

/** The name of a constructor, an accessor, a property or a part of a pattern. */
function otherNameOf(node: ts.Node): string | undefined {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  const isOther = ts.isAccessor(node) || ts.isPropertyDeclaration(node) || ts.isBindingElement(node);
  return isOther ? node.name.getText() : undefined;
}

const placeOf = (node: ts.Node) => node.getSourceFile().getLineAndCharacterOfPosition(node.getStart());

/** Another declaration of the same name, such as an overload, is not a use. */
const isNameOf = (node: ts.Node) => ts.isFunctionLike(node.parent) && node.parent.name === node;

/** Functions, classes, types and values at the top of a file or a namespace, and the methods of classes. */
function isCounted(node: ts.Declaration): boolean {
  if (ts.isMethodDeclaration(node)) return ts.isClassDeclaration(node.parent);
  const isVariable = ts.isVariableDeclaration(node) && ts.isIdentifier(node.name);
  const statement = isVariable ? node.parent.parent : node;
  if (isVariable && !ts.isVariableStatement(statement)) return false;
  const isDeclared =
    isVariable ||
    ts.isFunctionDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node);
  return isDeclared && (ts.isSourceFile(statement.parent) || ts.isModuleBlock(statement.parent));
}
