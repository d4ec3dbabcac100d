import { sql } from 'kysely'
import { z } from 'zod'
import type { SystemActor } from '../actor.ts'
import { clock } from '../clock.ts'
import { inPieces, jsonOf } from '../db/rows.ts'
import type { TenantDb } from '../db/tenant.ts'
import { newId } from '../ids.ts'
import { enqueueAll, type Task, task } from '../tasks/task.ts'
import { liveChannel } from './changes.ts'

/**
 * What happened in one feature and matters to others. The feature in which it happens declares it in its `server/events.ts`. Names are past tense;
 * payloads hold ids, never whole records.
 */
// biome-ignore lint/suspicious/noEmptyInterface: an interface can be added to, file by file
export interface DomainEvents {}

export type EventName = keyof DomainEvents

export type Subscriber<N extends EventName = EventName> = {
  /** Unique; with the event's id it is the key that makes a repeat harmless. */
  name: string
  on: N
  run: (actor: SystemActor, payload: DomainEvents[N], eventId: string) => Promise<void>
}

/** A subscriber of any event, as their one list holds them. */
export type AnySubscriber = { [N in EventName]: Subscriber<N> }[EventName]

export const subscriber = <N extends EventName>(definition: Subscriber<N>): Subscriber<N> => definition

let subscribers: readonly AnySubscriber[] = []

/** Set once at start from the one list of subscribers. */
export const setSubscribers = (list: readonly AnySubscriber[]): void => {
  subscribers = list
}

const EventTask = z.object({ eventId: z.string(), subscriber: z.string(), name: z.string(), payload: z.unknown() })

/** Delivers one event to one subscriber; each has its own tries, so one that fails does not hold up the others. */
export const deliverEvent: Task<typeof EventTask> = task({
  name: 'events.deliver',
  payload: EventTask,
  run: async (actor, { eventId, subscriber: name, payload }) => {
    const found = subscribers.find((s) => s.name === name)
    if (!found) throw new Error(`No subscriber is called ${name}.`)
    await (found as Subscriber).run(actor, payload as never, eventId)
  },
})

/** Records what happened and asks for its delivery, in the transaction in which it happened. */
export const emit = <N extends EventName>(db: TenantDb, name: N, payload: DomainEvents[N]): Promise<void> =>
  emitAll(db, name, [payload])

/** The same for many records, in two statements for a thousand of them. */
export const emitAll = async <N extends EventName>(
  db: TenantDb,
  name: N,
  payloads: readonly DomainEvents[N][],
): Promise<void> => {
  if (payloads.length === 0) return
  const events = payloads.map((payload) => ({ id: newId(), payload }))
  const at = clock.iso()
  for (const some of inPieces(events))
    await sql`
      insert into events (business_id, id, name, payload, at)
      values ${sql.join(
        some.map(
          ({ id, payload }) =>
            sql`(${db.businessId}::uuid, ${id}::uuid, ${name}, ${jsonOf(payload)}::jsonb, ${at}::timestamptz)`,
        ),
      )}`.execute(db)
  await enqueueAll(
    db,
    deliverEvent,
    events.flatMap(({ id: eventId, payload }) =>
      subscribers
        .filter((s) => s.on === name)
        .map((s) => ({ payload: { eventId, subscriber: s.name, name, payload }, key: `${eventId}:${s.name}` })),
    ),
  )
}

/**
 * Tells the people of the office who plan how far something long has come; nothing is kept of it. `money` is only for who may see payroll.
 * Together at most about 7 kB of JSON.
 */
export const publishProgress = async (db: TenantDb, progress: object, money: object): Promise<void> => {
  const payload = JSON.stringify({ businessId: db.businessId, progress, money })
  await sql`select pg_notify(${liveChannel}, ${payload})`.execute(db)
}
