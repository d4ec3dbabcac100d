import { config } from '../src/platform/config.ts'
import { rotateKeys } from '../src/platform/keys.ts'

// a new current key in the key file; what older keys signed or encrypted still holds

if (process.env.SWATH_KEYS) {
  console.error('The keys come from SWATH_KEYS: put the new one before the others there, as id:key.')
  process.exit(1)
}
console.log(
  `New things are signed and encrypted with key "${rotateKeys(config.dataDir)}" from the next start on. The older keys stay in the file.`,
)
