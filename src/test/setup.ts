import { join } from 'node:path'
import { inject } from 'vitest'

// before anything reads the settings: each worker has its own data folder
process.env.SWATH_DATA_DIR = join(inject('testServer').dir, `var-${process.env.VITEST_POOL_ID ?? '1'}`)

// `SWATH_TEST_AHEAD_HOURS=8` runs the tests as if it were so much later: what only holds at the hour of the run is seen
const aheadMs = Number(process.env.SWATH_TEST_AHEAD_HOURS ?? 0) * 3_600_000
const TrueDate = Date
if (aheadMs && !('isAhead' in Date)) {
  globalThis.Date = class extends TrueDate {
    static readonly isAhead = true
    constructor(...parts: []) {
      if (parts.length === 0) super(TrueDate.now() + aheadMs)
      else super(...parts)
    }
    static override now() {
      return TrueDate.now() + aheadMs
    }
  } as unknown as DateConstructor
}
