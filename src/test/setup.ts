import { join } from 'node:path'
import { inject } from 'vitest'

// before anything reads the settings: each worker has its own data folder
process.env.SWATH_DATA_DIR = join(inject('testServer').dir, `var-${process.env.VITEST_POOL_ID ?? '1'}`)
