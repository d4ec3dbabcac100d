import { config } from '../src/platform/config.ts'
import { copyFilesToBucket } from '../src/platform/storage-copy.ts'

// npm run files -- copy   what lies in the data folder and not yet in the bucket of SWATH_FILES is put there; nothing is taken away, safe to repeat

if (process.argv[2] !== 'copy' || process.argv.length > 3) {
  console.error('What to do? npm run files -- copy')
  process.exit(2)
}
if (!config.files) {
  console.error('Into which bucket? Set SWATH_FILES=s3://<bucket> with its SWATH_S3_ variables. Nothing was copied.')
  process.exit(2)
}
try {
  const done = await copyFilesToBucket(config.dataDir, config.files, ({ copied, known }) =>
    console.log(`${copied} copied, ${known} were there ...`),
  )
  console.log(
    `${done.copied} files copied (${(done.byteCount / 1e6).toFixed(1)} MB), ${done.known} were in the bucket already. The data folder still has them all.`,
  )
} catch (error) {
  const { message, cause } = error as Error
  console.error(`${cause instanceof Error ? cause.message : message}\nWhat was copied stays; run it again.`)
  process.exitCode = 1
}
