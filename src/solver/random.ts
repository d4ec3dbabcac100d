/** Pseudo-random numbers by sfc32 (Chris Doty-Humphrey, PractRand): same seed, same numbers on every machine. */
export type Random = {
  /** [0, 1) with 32 bits. */
  next(): number
  /** Integer in [0, below). `below` must be > 0. */
  int(below: number): number
}

/** A generator for the seed, any number; the low 32 bits and the next 32 count. */
export function createRandom(seed: number): Random {
  // An Int32Array keeps the four words unboxed; plain variables above 31 bits would be heap numbers in V8.
  const s = new Int32Array(4)
  s[0] = seed | 0
  s[1] = Math.floor(seed / 4294967296) | 0
  s[2] = 0x9e3779b9 | 0
  s[3] = 1
  const bits = (): number => {
    const t = (((s[0]! + s[1]!) | 0) + s[3]!) | 0
    s[3] = (s[3]! + 1) | 0
    s[0] = s[1]! ^ (s[1]! >>> 9)
    s[1] = (s[2]! + (s[2]! << 3)) | 0
    s[2] = ((s[2]! << 21) | (s[2]! >>> 11)) + t
    return t >>> 0
  }
  for (let i = 0; i < 16; i++) bits()
  return {
    next: () => bits() / 4294967296,
    int: (below) => Math.floor((bits() / 4294967296) * below),
  }
}
