import { z } from 'zod'
import { database } from '../../platform/db/database.ts'
import { type NameServer, startNameServer } from './server.ts'

// The zone that is played on one's own computer: whatever somebody writes into it, and nothing else.

export const LocalRecord = z.object({
  name: z
    .string()
    .trim()
    .toLowerCase()
    .transform((text) => text.replace(/\.$/, ''))
    .pipe(
      z.string().regex(/^(?=.{1,253}$)[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+$/, 'A name looks like _dmarc.example.com'),
    ),
  type: z.enum(['TXT', 'CNAME']),
  value: z.string().trim().min(1, 'Write what the record says').max(2000),
})
export type LocalRecord = z.output<typeof LocalRecord>

export const listLocalRecords = (): Promise<LocalRecord[]> =>
  database().selectFrom('localDnsRecords').select(['name', 'type', 'value']).orderBy('name').limit(500).execute()

export const addLocalRecord = async (record: LocalRecord): Promise<void> => {
  await database()
    .insertInto('localDnsRecords')
    .values(record)
    .onConflict((c) => c.doNothing())
    .execute()
}

export const removeLocalRecord = async ({ name, type, value }: LocalRecord): Promise<void> => {
  await database()
    .deleteFrom('localDnsRecords')
    .where('name', '=', name)
    .where('type', '=', type)
    .where('value', '=', value)
    .execute()
}

const recordsAt = (name: string) =>
  database().selectFrom('localDnsRecords').select(['type', 'value']).where('name', '=', name).execute()

let running: Promise<NameServer> | undefined

/** The name server of this computer; it starts with the first question. */
export const localNameServers = async (): Promise<string[]> => {
  running ??= startNameServer(recordsAt)
  try {
    return [(await running).address]
  } catch (error) {
    running = undefined
    throw error
  }
}
