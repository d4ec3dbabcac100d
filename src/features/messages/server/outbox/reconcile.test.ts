import { afterEach, expect, it } from 'vitest'
import { resetClock, setClock } from '../../../../platform/clock.ts'
import { newId } from '../../../../platform/ids.ts'
import { type Trace, Untraceable } from '../../../../platform/sms/twilio.ts'
import { aBusiness, type TestBusiness } from '../../../../test/factories.ts'
import { queueMessage } from '../commands.ts'
import { businessOutbox } from '../delivery/commands.ts'
import { reconcileOutbox } from './commands.ts'

afterEach(resetClock)
const at = (iso: string) => setClock(() => new Date(iso))

const lost = async (own: TestBusiness, address: string, changes: { status?: 'unknown' | 'sent' } = {}) => {
  const id = await own.db((db) =>
    queueMessage(db, {
      channel: 'sms',
      purpose: 'transactional',
      address,
      dedupeKey: newId(),
      text: 'We come Friday.',
    }),
  )
  await own.db((db) =>
    db
      .updateTable('messages')
      .set({ status: changes.status ?? 'unknown', updatedAt: '2026-06-12T16:00:00.000Z' })
      .where('businessId', '=', own.id)
      .where('id', '=', id)
      .execute(),
  )
  return id
}
const stateOf = (own: TestBusiness, id: string) =>
  own.db((db) =>
    db
      .selectFrom('messages')
      .select(['status', 'reason', 'providerId'])
      .where('businessId', '=', own.id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow(),
  )
const found = (status: 'sent' | 'delivered' | 'failed' | null, code: number | null = null): Trace => ({
  trace: 'found',
  provider: 'twilio',
  providerId: `SM${newId()}`,
  status,
  code,
})

it('a text whose answer was lost is settled by what the provider says, and sent by nobody', async () => {
  at('2026-06-12T16:00:00Z')
  const own = await aBusiness()
  const numbers = ['+19125550171', '+19125550172', '+19125550173', '+19125550174']
  const ids: string[] = []
  for (const number of numbers) ids.push(await lost(own, number))
  const answers: Trace[] = [found('delivered'), found(null), found('failed', 30005), { trace: 'absent' }]
  const asked: string[] = []
  const trace = async ({ to }: { to: string }): Promise<Trace> => {
    asked.push(to)
    return answers[numbers.indexOf(to)] ?? { trace: 'unsaid' }
  }
  at('2026-06-12T17:00:00Z')
  await reconcileOutbox(businessOutbox(own.id), trace)
  expect(asked).toEqual(numbers)
  const [delivered, sent, failed, absent] = await Promise.all(ids.map((id) => stateOf(own, id)))
  expect([delivered?.status, sent?.status]).toEqual(['delivered', 'sent'])
  expect(failed).toMatchObject({ status: 'failed', reason: 'This number is not in use' })
  // it may still wait at the provider
  expect(absent?.status).toBe('unknown')
  at('2026-06-12T20:20:00Z')
  await reconcileOutbox(businessOutbox(own.id), trace)
  expect(asked).toEqual([...numbers, numbers[3]])
  expect(await stateOf(own, ids[3] ?? '')).toMatchObject({
    status: 'failed',
    reason: 'It did not leave: the SMS provider never had it',
  })
})

it('a provider that is away, or cannot say, leaves a text as it is; one of last week is not asked for', async () => {
  at('2026-06-12T16:00:00Z')
  const own = await aBusiness()
  const id = await lost(own, '+19125550181')
  at('2026-06-12T21:00:00Z')
  await reconcileOutbox(businessOutbox(own.id), async () => {
    throw new Error('away')
  })
  await reconcileOutbox(businessOutbox(own.id), async () => ({ trace: 'unsaid' }))
  expect((await stateOf(own, id)).status).toBe('unknown')
  at('2026-06-20T16:00:00Z')
  await reconcileOutbox(businessOutbox(own.id), async () => {
    throw new Error('asked')
  })
  expect((await stateOf(own, id)).status).toBe('unknown')
})

it('is looked for since it was written, and one that the provider refuses to look for holds up no other', async () => {
  at('2026-06-12T09:00:00Z')
  const own = await aBusiness()
  const [refused, other] = [await lost(own, '+19125550185'), await lost(own, '+19125550186')]
  at('2026-06-12T21:00:00Z')
  const sinces: string[] = []
  await reconcileOutbox(businessOutbox(own.id), async ({ to }, since) => {
    sinces.push(since)
    if (to.endsWith('85')) throw new Untraceable('400')
    return found('sent')
  })
  // the process may have died hours before anybody saw that
  expect(sinces).toEqual(['2026-06-12T09:00:00.000Z', '2026-06-12T09:00:00.000Z'])
  expect([(await stateOf(own, refused)).status, (await stateOf(own, other)).status]).toEqual(['unknown', 'sent'])
})

it('one text at the provider is not taken for two of ours', async () => {
  at('2026-06-12T16:00:00Z')
  const own = await aBusiness()
  const [first, second] = [await lost(own, '+19125550191'), await lost(own, '+19125550191')]
  at('2026-06-12T21:00:00Z')
  const one = found('sent')
  await reconcileOutbox(businessOutbox(own.id), async (_text, _since, known) =>
    one.trace === 'found' && known.has(one.providerId) ? { trace: 'absent' } : one,
  )
  expect((await stateOf(own, first)).status).toBe('sent')
  expect((await stateOf(own, second)).status).toBe('failed')
})
