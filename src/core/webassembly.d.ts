/** The little of WebAssembly that we need: Node has it, but its types come with the browser's library. */
declare namespace WebAssembly {
  type Imports = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  let Instance: {
    new (module: Module, imports?: Imports): { readonly exports: Readonly<Record<string, unknown>> };
  };
}
