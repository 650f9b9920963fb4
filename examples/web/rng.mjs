// The random numbers of rng in JavaScript: rng.wasm, with its numbers as arrays.
//
//     const rng = await load(await fetch("rng.wasm").then((response) => response.arrayBuffer()));
//     rng.stream({ seed: 42n });
//     const x = rng.fill("normal", "f32", 1000000, [0, 1]);       // a Float32Array: the numbers of every other device

const ARRAYS = { f32: Float32Array, f64: Float64Array, u32: Uint32Array, u64: BigUint64Array };

export async function load(bytes) {
  // The C library asks for a few functions of a system, which the module never calls while it runs.
  const system = new Proxy({}, { get: (_, name) => () => { throw new Error(`rng.wasm called ${String(name)}`); } });
  const module = await WebAssembly.compile(bytes);
  const needed = new Set(WebAssembly.Module.imports(module).map((entry) => entry.module));
  const { exports } = await WebAssembly.instantiate(module, Object.fromEntries([...needed].map((name) => [name, system])));
  exports._initialize?.();
  const names = new Set(WebAssembly.Module.exports(module).map((entry) => entry.name));

  return {
    /** Chooses the stream: a seed, the stream's number and a position in words, all of them BigInt. */
    stream({ seed, id = 0n, position = 0n }) {
      exports.rng_stream(BigInt.asUintN(64, seed), BigInt.asUintN(64, id), BigInt.asUintN(64, position));
    },
    /** Chooses the child of the stream with a number or a name. */
    fork(tag) {
      if (typeof tag !== "string") return exports.rng_fork(BigInt(tag));
      const name = new TextEncoder().encode(tag);
      new Uint8Array(exports.memory.buffer, exports.rng_buffer(), name.length).set(name);
      exports.rng_fork_name(name.length);
    },
    has(name, dtype) {
      return names.has(`rng_${name}_${dtype}`);
    },
    /** Values first, first + 1, ... of a distribution, in a new array. */
    fill(name, dtype, n, parameters = [], first = 0n) {
      if (!this.has(name, dtype)) throw new RangeError(`fill: no distribution ${name} of ${dtype}`);
      const out = new ARRAYS[dtype](n);
      const most = exports.rng_buffer_bytes() / out.BYTES_PER_ELEMENT;
      for (let done = 0; done < n; done += most) {
        const count = Math.min(most, n - done);
        exports[`rng_${name}_${dtype}`](first + BigInt(done), count, ...parameters);
        out.set(new ARRAYS[dtype](exports.memory.buffer, exports.rng_buffer(), count), done);
      }
      return out;
    },
    /** The FNV-1a digest of an array's bytes, as `rng verify` has it. */
    digest(array) {
      const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
      const most = exports.rng_buffer_bytes();
      let digest = 0xcbf29ce484222325n;
      for (let done = 0; done < bytes.length; done += most) {
        const part = bytes.subarray(done, done + most);
        new Uint8Array(exports.memory.buffer, exports.rng_buffer(), part.length).set(part);
        digest = BigInt.asUintN(64, exports.rng_digest(digest, part.length));
      }
      return digest;
    },
  };
}
