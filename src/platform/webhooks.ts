import { sql } from 'kysely'
import { z } from 'zod'
import { clock } from './clock.ts'
import { database } from './db/database.ts'
import { log } from './log.ts'
import type { GlobalTask } from './tasks/runner.ts'

export type StoredWebhook = { provider: string; account: string; eventId: string; type: string; payload: unknown }

/** Works a stored event off. Runs at least once and out of order: it fetches the present state and only moves forward. */
export type WebhookProcessor = (event: StoredWebhook) => Promise<void>

const processors = new Map<string, WebhookProcessor>()

/** Names who works off the events of a provider; from the one list of the composition root. */
export const setWebhookProcessors = (list: Record<string, WebhookProcessor>): void => {
  for (const [provider, processor] of Object.entries(list)) processors.set(provider, processor)
}

/**
 * Keeps an event whose signature was checked, once per id, and asks for its processing in the same transaction. Answer 2xx after this
 * and 5xx when it throws: the provider then sends it again.
 * @returns false when it was here before
 */
export const storeWebhook = async (event: StoredWebhook): Promise<boolean> =>
  database()
    .transaction()
    .execute(async (tx) => {
      const made = await tx
        .insertInto('webhookEvents')
        .values({
          provider: event.provider,
          account: event.account,
          eventId: event.eventId,
          type: event.type,
          payload: JSON.stringify(event.payload),
          receivedAt: clock.iso(),
        })
        .onConflict((c) => c.columns(['provider', 'account', 'eventId']).doNothing())
        .returning('eventId')
        .executeTakeFirst()
      if (!made) return false
      await sql`select tasks.enqueue_webhook(${event.provider}, ${event.account}, ${event.eventId})`.execute(tx)
      return true
    })

/** How far the look for events that no webhook brought came on our own side; null before the first. */
export const readEventLook = async (provider: string): Promise<string | null> =>
  (await database().selectFrom('eventLooks').select('lookedAt').where('provider', '=', provider).executeTakeFirst())
    ?.lookedAt ?? null

/** Keeps how far such a look came. */
export const noteEventLook = async (provider: string, lookedAt: string): Promise<void> => {
  await database()
    .insertInto('eventLooks')
    .values({ provider, lookedAt })
    .onConflict((c) => c.column('provider').doUpdateSet({ lookedAt }))
    .execute()
}

const Key = z.object({ provider: z.string(), account: z.string(), eventId: z.string() })

/** Works stored events off; one that fails is tried again later and stays visible with its error. */
export const processWebhook: GlobalTask = {
  name: 'webhooks.process',
  run: async (raw) => {
    const key = Key.parse(raw)
    const where = (provider: string, account: string, eventId: string) =>
      database()
        .updateTable('webhookEvents')
        .where('provider', '=', provider)
        .where('account', '=', account)
        .where('eventId', '=', eventId)
    const row = await database()
      .selectFrom('webhookEvents')
      .selectAll()
      .where('provider', '=', key.provider)
      .where('account', '=', key.account)
      .where('eventId', '=', key.eventId)
      .executeTakeFirst()
    if (!row || row.processedAt) return
    const processor = processors.get(key.provider)
    if (!processor) throw new Error(`Nobody works off the webhooks of ${key.provider}.`)
    try {
      await processor({
        provider: row.provider,
        account: row.account,
        eventId: row.eventId,
        type: row.type,
        payload: row.payload,
      })
      await where(key.provider, key.account, key.eventId)
        .set((eb) => ({ processedAt: clock.iso(), attempts: eb('attempts', '+', 1), error: null }))
        .execute()
    } catch (error) {
      log.warn({ err: error, webhook: key }, 'a webhook could not be worked off yet')
      await where(key.provider, key.account, key.eventId)
        .set((eb) => ({ attempts: eb('attempts', '+', 1), error: String(error).slice(0, 500) }))
        .execute()
      throw error
    }
  },
}
