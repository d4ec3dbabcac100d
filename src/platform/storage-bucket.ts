import { PassThrough, type Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { AppError } from '../shared/errors.ts'
import type { FilePlace } from './storage-place.ts'
import type { BucketSettings } from './storage-settings.ts'

/** How long a service is waited for, in milliseconds: to connect, between two bytes, and for all tries of a small question. */
const usualPatience = { connect: 2_000, silence: 15_000, question: 20_000, check: 3_000 }

/** Of what a service that refuses says only the kind: its words quote keys and what was signed with them. */
const kindOf = (error: unknown): string => {
  const { name, code, $metadata } = (error ?? {}) as {
    name?: string
    code?: string
    $metadata?: { httpStatusCode?: number }
  }
  return [name, code, $metadata?.httpStatusCode].filter(Boolean).join(' ') || 'no answer'
}

const away = (error: unknown): AppError =>
  error instanceof AppError
    ? error
    : new AppError(
        'unavailable',
        'Photos cannot be reached right now. Nothing was lost; please try again in a few minutes.',
        { cause: new Error(`The bucket of the files did not do what it was asked: ${kindOf(error)}`) },
      )

const isMissing = (error: unknown): boolean =>
  ['NoSuchKey', 'NotFound'].includes((error as { name?: string }).name ?? '')

const nullIfMissing = (error: unknown): null => {
  if (isMissing(error)) return null
  throw away(error)
}

const failed = (error: unknown): never => {
  throw away(error)
}

/** Objects in a bucket of a service that speaks S3. Everything that it does not do is an AppError unavailable. */
export const bucketPlace = (
  { bucket, endpoint, region, keyId, secret }: BucketSettings,
  patience = usualPatience,
): FilePlace => {
  const soon = () => ({ abortSignal: AbortSignal.timeout(patience.question) })
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    credentials: { accessKeyId: keyId, secretAccessKey: secret },
    maxAttempts: 3,
    // the newer checksums are Amazon's alone; other services refuse them
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: patience.connect,
      requestTimeout: patience.silence,
      socketTimeout: patience.silence,
      throwOnRequestTimeout: true,
    },
  })
  const at = (key: string) => ({ Bucket: bucket, Key: key })

  const listUnder = async function* (prefix: string) {
    for (let token: string | undefined; ; ) {
      const page = await client
        .send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token }), soon())
        .catch(failed)
      for (const { Key: key, Size: byteCount = 0 } of page.Contents ?? []) if (key) yield { key, byteCount }
      token = page.NextContinuationToken
      if (!token) return
    }
  }

  return {
    sizeOf: async (key) => {
      const found = await client.send(new HeadObjectCommand(at(key)), soon()).catch(nullIfMissing)
      return found ? (found.ContentLength ?? 0) : null
    },
    put: async (key, bytes) => {
      await client
        .send(new PutObjectCommand({ ...at(key), Body: bytes, ContentLength: bytes.byteLength }), {
          abortSignal: AbortSignal.timeout(6 * patience.question),
        })
        .catch(failed)
    },
    open: async (key) => {
      const waiting = new AbortController()
      // until the first bytes come: a large file may take longer than a question
      const late = setTimeout(() => waiting.abort(), patience.question)
      const found = await client
        .send(new GetObjectCommand(at(key)), { abortSignal: waiting.signal })
        .catch(nullIfMissing)
        .finally(() => clearTimeout(late))
      return found ? (found.Body as Readable) : null
    },
    grow: async (key) => {
      const stream = new PassThrough()
      const upload = new Upload({
        client,
        params: { ...at(key), Body: stream },
        queueSize: 2,
        partSize: 8 * 1024 * 1024,
      })
      stream.on('error', () => undefined)
      let broken: AppError | null = null
      // a stream that is destroyed never tells the write that waits in it
      let tellWriter: (why: AppError) => void = () => undefined
      const done = upload.done().then(
        () => null,
        (error: unknown) => {
          broken = away(error)
          stream.destroy()
          tellWriter(broken)
          return broken
        },
      )
      return {
        write: (piece) =>
          broken
            ? Promise.reject(broken)
            : new Promise((go, fail) => {
                tellWriter = fail
                stream.write(piece, (error) => (error ? fail(broken ?? away(error)) : go()))
              }),
        finish: async () => {
          stream.end()
          const why = await done
          if (why) throw why
        },
        abandon: async () => {
          // pieces that the service keeps even so are seen by nobody and go by the lifecycle rule of the bucket
          await upload.abort().catch(() => undefined)
          stream.destroy()
          await done
        },
      }
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key)), soon()).catch(nullIfMissing)
    },
    removeFolder: async (folder) => {
      // One by one: not every service that speaks S3 takes many keys in one request, or takes Amazon's checksum of such a list.
      let keys: string[] = []
      const removeThese = async () => {
        await Promise.all(keys.map((key) => client.send(new DeleteObjectCommand(at(key)), soon()).catch(nullIfMissing)))
        keys = []
      }
      for await (const { key } of listUnder(`${folder}/`)) if (keys.push(key) === 20) await removeThese()
      await removeThese()
    },
    list: () => listUnder(''),
    check: async () => {
      await client
        .send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal: AbortSignal.timeout(patience.check) })
        .catch(failed)
    },
  }
}
