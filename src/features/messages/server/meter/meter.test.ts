import { afterEach, describe, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { queueMessage } from '../commands.ts'
import { businessOutbox } from '../delivery/commands.ts'
import { sendFromOutbox } from '../outbox/commands.ts'
import { smsUsage } from '../queries.ts'

afterEach(() => resetClock())

/** Noon in every zone that a business of the tests is in, so that nothing waits for the morning. */
const at = (iso: string) => setClock(() => new Date(iso))

const text = (own: TestBusiness, index: number, segments = 1) =>
  own.db((db) =>
    queueMessage(db, {
      channel: 'sms',
      purpose: 'transactional',
      address: `+1912555${String(1000 + index)}`,
      dedupeKey: newId(),
      text: 'x'.repeat(segments === 1 ? 10 : 153 * segments),
    }),
  )

const counted = (own: TestBusiness) => own.db(async (db) => (await smsUsage(db)).segmentsUsed)

const recounted = (own: TestBusiness) =>
  own.db(async (db) => {
    const rows = await db
      .selectFrom('messages')
      .select('segments')
      .where('businessId', '=', own.id)
      .where('channel', '=', 'sms')
      .where('status', 'in', ['sending', 'sent', 'delivered', 'unknown', 'failed'])
      .execute()
    return rows.reduce((sum, { segments }) => sum + segments, 0)
  })

describe('what a plan allows in texts', () => {
  it('is let out to the last segment and no further by eight workers at once', async () => {
    at('2026-06-10T17:00:00Z')
    const own = await aBusiness({ tier: 'basic' })
    const ids: string[] = []
    for (let index = 0; index < 100; index++) ids.push(await text(own, index, 2))
    const waiting = [...ids]
    const worker = async () => {
      for (let id = waiting.pop(); id; id = waiting.pop()) await sendFromOutbox(businessOutbox(own.id), id)
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect([await counted(own), await recounted(own)]).toEqual([150, 150])
  })

  it('counts in the month in which a text leaves, and once however often it is tried', async () => {
    at('2026-06-30T17:00:00Z')
    const own = await aBusiness()
    const [first, second] = [await text(own, 1), await text(own, 2)]
    const outbox = businessOutbox(own.id)
    await sendFromOutbox(outbox, first)
    await sendFromOutbox(outbox, first)
    expect([await counted(own), await recounted(own)]).toEqual([1, 1])
    at('2026-07-01T17:00:00Z')
    expect(await counted(own)).toBe(0)
    await sendFromOutbox(outbox, second)
    expect(await counted(own)).toBe(1)
  })

  it('gets back what did not leave and waits for another try', async () => {
    at('2026-06-10T17:00:00Z')
    const own = await aBusiness()
    const id = await text(own, 3)
    const outbox = businessOutbox(own.id)
    await own.db((db) => outbox.update(db, id, { status: 'sending' }))
    expect(await counted(own)).toBe(1)
    await own.db((db) => outbox.update(db, id, { status: 'pending' }))
    expect([await counted(own), await recounted(own)]).toEqual([0, 0])
  })
})
