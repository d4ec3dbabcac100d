import { afterEach, describe, expect, it } from 'vitest'
import { clock, resetClock, setClock } from '../../../../platform/clock.ts'
import { config } from '../../../../platform/config.ts'
import { withProspects } from '../../../../platform/db/prospects.ts'
import type { TenantDb } from '../../../../platform/db/tenant.ts'
import { newId } from '../../../../platform/ids.ts'
import { removeObject } from '../../../../platform/storage.ts'
import { runTasks } from '../../../../test/api.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { aProspect } from '../../../../test/prospects.ts'
import { dashboardApi } from '../../../dashboard/contract.ts'
import { queueProspectMessage, suppressProspect } from '../../../prospects/outbox/server/commands.ts'
import { prospectOutbox } from '../../../prospects/outbox/server/delivery/commands.ts'
import { messagesApi } from '../../contract.ts'
import { type Outgoing, queueMessage, suppress } from '../commands.ts'
import { businessOutbox } from '../delivery/commands.ts'
import { maxTries, type OutboxRow, type OutboxStorage, sendFromOutbox, sweepOutbox } from './commands.ts'

// One engine over two storages: what holds for a business's messages is asserted for the product owner's too.

const before = { ...config }
afterEach(() => {
  Object.assign(config, before)
  resetClock()
})

/** A mail server that is away. */
const noMailServer = () => Object.assign(config, { smtpUrl: 'smtp://127.0.0.1:1' })
const later = (minutes: number) => {
  const then = clock.nowMs() + minutes * 60_000
  setClock(() => new Date(then))
}

const mail = (changes: Partial<Outgoing> = {}): Outgoing => ({
  channel: 'email',
  purpose: 'transactional',
  address: `${newId()}@test.swath.test`,
  dedupeKey: newId(),
  subject: 'Hello',
  text: 'Hi',
  ...changes,
})

type Seen = { status: string; reason: string | null; attempts: number }
type Kept = {
  id: string
  storage: OutboxStorage<never, OutboxRow, never>
  read: () => Promise<Seen>
  /** Its task was lost. */
  orphan: () => Promise<unknown>
  suppress: (reason: string) => Promise<unknown>
}

const ofBusiness = async (): Promise<Kept & { own: TestBusiness }> => {
  const own = await aBusiness()
  const wanted = mail()
  const id = await own.db((db) => queueMessage(db, wanted))
  const row = (db: TenantDb) =>
    db
      .selectFrom('messages')
      .select(['status', 'reason', 'attempts'])
      .where('businessId', '=', own.id)
      .where('id', '=', id)
  return {
    own,
    id,
    storage: businessOutbox(own.id) as never,
    read: () => own.db((db) => row(db).executeTakeFirstOrThrow()),
    orphan: () =>
      own.db((db) =>
        db
          .updateTable('messages')
          .set({ updatedAt: new Date(clock.nowMs() - 2 * 3_600_000).toISOString() })
          .where('businessId', '=', own.id)
          .where('id', '=', id)
          .execute(),
      ),
    suppress: (reason) => own.db((db) => suppress(db, 'email', wanted.address, 'all', reason)),
  }
}

const ofProspects = async (): Promise<Kept> => {
  const address = `${newId()}@test.swath.test`
  const leadId = await aProspect({ email: address })
  const id = await withProspects((db) =>
    queueProspectMessage(db, {
      leadId,
      channel: 'email',
      purpose: 'transactional',
      address,
      subject: 'Hello',
      text: 'Hi',
      dedupeKey: newId(),
    }),
  )
  return {
    id,
    storage: prospectOutbox as never,
    read: () =>
      withProspects((db) =>
        db
          .selectFrom('messages')
          .select(['status', 'reason', 'attempts'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow(),
      ),
    orphan: () =>
      withProspects((db) =>
        db
          .updateTable('messages')
          .set({ updatedAt: new Date(clock.nowMs() - 2 * 3_600_000).toISOString() })
          .where('id', '=', id)
          .execute(),
      ),
    suppress: (reason) => withProspects((db) => suppressProspect(db, 'email', address, 'all', reason)),
  }
}

describe.each([
  ['a business', ofBusiness],
  ['prospects', ofProspects],
])('a message of %s', (_, make: () => Promise<Kept>) => {
  it('that no provider takes is tried later and later, and has failed in the end', async () => {
    noMailServer()
    const { id, storage, read } = await make()
    for (let tries = 1; tries < maxTries; tries++) {
      await sendFromOutbox(storage, id)
      const waits = await read()
      expect([waits.status, waits.attempts]).toEqual(['pending', tries])
      expect(waits.reason).toMatch(/^Waiting for the provider: /)
      // Not before its time.
      await sendFromOutbox(storage, id)
      expect((await read()).attempts).toBe(tries)
      later(241)
    }
    await sendFromOutbox(storage, id)
    expect(await read()).toMatchObject({
      status: 'failed',
      attempts: maxTries,
      reason: expect.stringMatching(`It could not be sent in ${maxTries} tries: .*ECONNREFUSED`),
    })
  })

  it('whose task is gone is found: it leaves after all, or has failed after as many times', async () => {
    const found = await make()
    await found.orphan()
    await sweepOutbox(found.storage)
    expect(await found.read()).toMatchObject({ status: 'pending', attempts: 1 })
    await runTasks()
    expect((await found.read()).status).toBe('sent')
    const lost = await make()
    for (let times = 0; times < maxTries; times++) {
      await lost.orphan()
      await sweepOutbox(lost.storage)
    }
    expect(await lost.read()).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('It could not be sent'),
    })
    const fresh = await make()
    await sweepOutbox(fresh.storage)
    expect(await fresh.read()).toMatchObject({ status: 'pending', attempts: 0 })
  })

  it('that waits is suppressed with its address', async () => {
    const { read, suppress: close } = await make()
    await close('It came back')
    expect(await read()).toMatchObject({ status: 'suppressed', reason: 'It came back' })
    await runTasks()
    expect((await read()).status).toBe('suppressed')
  })
})

it('what failed stands in "Needs you" and is sent again by a press', async () => {
  noMailServer()
  const { own, id, storage } = await ofBusiness()
  for (let tries = 0; tries < maxTries; tries++) {
    await sendFromOutbox(storage, id)
    later(241)
  }
  resetClock()
  const { needs } = await own.api.ok(dashboardApi.get, {})
  expect(needs.find((need) => need.id === `unsent:${id}`)).toMatchObject({ badge: 'Not sent' })
  Object.assign(config, before)
  const again = await own.api.ok(messagesApi.resend, { params: { id } })
  await runTasks()
  expect((await own.api.ok(messagesApi.get, { params: { id: again.id } })).status).toBe('sent')
})

it('a mail whose attachment is gone was not sent and says so, without where files are kept', async () => {
  const own = await aBusiness()
  const fileId = newId()
  const storageKey = `${own.id}/${fileId}`
  await own.db((db) =>
    db
      .insertInto('files')
      .values({
        businessId: own.id,
        id: fileId,
        kind: 'pdf',
        mime: 'application/pdf',
        byteCount: 1,
        sha256: 'x',
        storageKey,
        createdAt: clock.iso(),
      } as never)
      .execute(),
  )
  await removeObject(storageKey)
  const gone = await own.db((db) => queueMessage(db, mail({ attachments: [{ fileId, name: 'invoice-7.pdf' }] })))
  const unknown = await own.db((db) =>
    queueMessage(db, mail({ attachments: [{ fileId: newId(), name: 'invoice-8.pdf' }] })),
  )
  await runTasks()
  for (const [id, name] of [
    [gone, 'invoice-7.pdf'],
    [unknown, 'invoice-8.pdf'],
  ] as const)
    expect(await own.api.ok(messagesApi.get, { params: { id } })).toMatchObject({
      status: 'failed',
      reason: `The attachment ${name} is not there any more, so nothing was sent. Attach it again.`,
    })
})
