import { createHash, createHmac } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
// @ts-expect-error the package brings no types
import S3rver from 's3rver'
import { config } from '../platform/config.ts'
import { newId } from '../platform/ids.ts'
import type { BucketSettings } from '../platform/storage-settings.ts'

// A server that speaks S3, on the disk of this machine. It does not look at signatures, takes no upload back that was begun, and would let anybody in who
// knows its key's id; so signatures are looked at here.

// the id is the one that the package knows
const [keyId, secret] = ['S3RVER', 'secret-of-the-tests']

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** As the service describes signature version 4: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html */
const isSigned = ({ method, url = '', headers }: IncomingMessage): boolean => {
  const found = /Credential=[^/]+\/(\d+)\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=(\w+)/.exec(
    headers.authorization ?? '',
  )
  if (!found) return false
  const [, day = '', region = '', names = '', signature] = found
  const [path = '', query = ''] = url.split('?')
  const asked = [
    method,
    path,
    query
      .split('&')
      .filter(Boolean)
      .map((one) => (one.includes('=') ? one : `${one}=`))
      .sort()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const text = [
    'AWS4-HMAC-SHA256',
    headers['x-amz-date'],
    `${day}/${region}/s3/aws4_request`,
    createHash('sha256').update(asked).digest('hex'),
  ].join('\n')
  const key = hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
  return hmac(key, text).toString('hex') === signature
}

export type TestBucket = {
  settings: BucketSettings
  /** Every request that came, as "PUT /bucket/key". */
  asked: string[]
  /** What the next requests meet: a connection that breaks, one that stays without an answer, or so many refusals with 503. */
  trouble: 'none' | 'away' | 'silent' | { refusals: number }
  close: () => Promise<void>
}

/** A bucket of its own. */
export const aBucket = async (): Promise<TestBucket> => {
  const bucket = `swath-${newId().slice(-12)}`
  const directory = join(config.dataDir, 'buckets')
  mkdirSync(directory, { recursive: true })
  const service = new S3rver({ silent: true, directory, vhostBuckets: false, configureBuckets: [{ name: bucket }] })
  await service.configureBuckets()
  const answer = service.callback() as RequestListener
  const server = createServer((request, reply) => {
    made.asked.push(`${request.method} ${request.url}`)
    if (made.trouble === 'away') return request.socket.destroy()
    if (made.trouble === 'silent') return
    if (made.trouble !== 'none' && made.trouble.refusals > 0) {
      made.trouble.refusals -= 1
      return reply.writeHead(503).end()
    }
    if (!isSigned(request))
      return reply
        .writeHead(403, { 'content-type': 'application/xml' })
        .end('<Error><Code>SignatureDoesNotMatch</Code><Message>No.</Message></Error>')
    return answer(request, reply)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const made: TestBucket = {
    settings: { bucket, endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', keyId, secret },
    asked: [],
    trouble: 'none',
    close: async () => {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      service.logger?.close?.()
    },
  }
  return made
}
