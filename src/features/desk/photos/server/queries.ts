import { sql } from 'kysely'
import type { ProspectsDb } from '../../../../platform/db/prospects.ts'
import { prospectFilePath } from '../../../../platform/links.ts'
import type { TrackedMessage } from '../../contract.ts'

/** The folder of what prospects sent, beside those of the businesses. */
export const prospectsPlace = 'prospects'

export type Came = Pick<TrackedMessage, 'photos' | 'files'>

/** What came with messages, by message, at addresses that open for a span. */
export const listCame = async (db: ProspectsDb, messageIds: readonly string[]): Promise<Map<string, Came>> => {
  if (messageIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('messageFiles')
    .select(['id', 'messageId', 'name', 'mime', 'byteCount'])
    .where('messageId', '=', sql<string>`any(${[...messageIds]}::uuid[])`)
    .orderBy('id')
    .execute()
  const byMessage = Map.groupBy(rows, ({ messageId }) => messageId)
  return new Map(
    [...byMessage].map(([messageId, own]) => [
      messageId,
      {
        photos: own
          .filter(({ mime }) => mime === 'image/jpeg')
          .map(({ id }) => ({ url: prospectFilePath(id), smallUrl: `${prospectFilePath(id)}?small=1` })),
        files: own
          .filter(({ mime }) => mime !== 'image/jpeg')
          .map(({ id, name, byteCount }) => ({ name, byteCount, url: prospectFilePath(id) })),
      },
    ]),
  )
}

export const findCame = (db: ProspectsDb, fileId: string) =>
  db
    .selectFrom('messageFiles as f')
    .innerJoin('messages as m', 'm.id', 'f.messageId')
    .select(['f.name', 'f.mime', 'f.storageKey', 'f.byteCount'])
    .where('f.id', '=', fileId)
    // what was deleted from the conversation opens no more
    .where('m.deletedAt', 'is', null)
    .executeTakeFirst()
