import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { type RemoteType, remoteTypes } from '../../../../platform/books/client.ts'

/** What a notice says: a record of a company was touched. The record itself is asked for. */
export type BooksNotice = { id: string; realmId: string; type: RemoteType; remoteId: string; operation: string }

/**
 * Whether a notice is from the provider: base64 of the HMAC-SHA256 of the body as it came. Takes the same time for every wrong signature.
 * @param secrets the verifier tokens that are good now
 */
export const isBooksSignature = (raw: string, signature: string, secrets: readonly string[]): boolean => {
  const given = Buffer.from(signature)
  return secrets.some((secret) => {
    const expected = Buffer.from(createHmac('sha256', secret).update(raw).digest('base64'))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const typeNamed = (name: string): RemoteType | undefined =>
  remoteTypes.find((type) => type.toLowerCase() === name.toLowerCase())

const Entity = z.object({
  name: z.string(),
  id: z.string(),
  operation: z.string(),
  lastUpdated: z.string().default(''),
})
const Tree = z.object({
  eventNotifications: z.array(
    z.object({ realmId: z.string(), dataChangeEvent: z.object({ entities: z.array(Entity) }).optional() }),
  ),
})
const Cloud = z.array(
  z.object({
    id: z.string(),
    type: z.string(),
    intuitentityid: z.string(),
    intuitaccountid: z.string(),
    time: z.string().default(''),
  }),
)

const noticeOf = (realmId: string, name: string, remoteId: string, operation: string, id: string): BooksNotice[] => {
  const type = typeNamed(name)
  return type ? [{ id, realmId, type, remoteId, operation: operation.toLowerCase() }] : []
}

/**
 * The notices in a body, in the older shape (a tree of companies) or the newer one (a list of CloudEvents). What is about nothing that we know is left out.
 * @throws SyntaxError or ZodError when it is neither
 */
export const readNotices = (raw: string): BooksNotice[] => {
  const body: unknown = JSON.parse(raw)
  if (Array.isArray(body))
    return Cloud.parse(body).flatMap(({ id, type, intuitentityid, intuitaccountid }) => {
      const [, name = '', operation = ''] = /^qbo\.(\w+)\.(\w+)\./.exec(type) ?? []
      return noticeOf(intuitaccountid, name, intuitentityid, operation, id)
    })
  return Tree.parse(body).eventNotifications.flatMap(({ realmId, dataChangeEvent }) =>
    (dataChangeEvent?.entities ?? []).flatMap((one) => {
      // It has no id of its own: the same change told twice is the same notice.
      const id = createHash('sha256')
        .update([realmId, one.name, one.id, one.operation, one.lastUpdated].join(' '))
        .digest('hex')
        .slice(0, 40)
      return noticeOf(realmId, one.name, one.id, one.operation, id)
    }),
  )
}
