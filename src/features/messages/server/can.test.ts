import { describe, expect, it } from 'vitest'
import { newId } from '../../../platform/ids.ts'
import { type Api, runTasks } from '../../../test/api.ts'
import { type Acts, doneOf, supportIn } from '../../../test/can.ts'
import { aBusiness, aPerson, type TestBusiness } from '../../../test/factories.ts'
import { messagesApi } from '../contract.ts'
import type { MessageAction, MessageStatus } from '../rules.ts'
import { queueMessage, stopMessagesTx, suppress } from './commands.ts'

const acts: Acts<MessageAction> = { resend: (api, id) => api.call(messagesApi.resend, { params: { id } }) }
const read = (api: Api, id: string) => api.call(messagesApi.get, { params: { id } })

const invoice = () => ({ type: 'invoice', id: newId() })
const setStatus = (own: TestBusiness, id: string, status: MessageStatus) =>
  own.db((db) =>
    db.updateTable('messages').set({ status }).where('businessId', '=', own.id).where('id', '=', id).execute(),
  )
const aMessage = async (own: TestBusiness, status: MessageStatus, entity = invoice()) => {
  const address = `${newId()}@odom.test`
  const id = await own.db((db) =>
    queueMessage(db, { channel: 'email', purpose: 'transactional', address, dedupeKey: newId(), text: 'Hi', entity }),
  )
  await setStatus(own, id, status)
  return { id, address, entity }
}
const inStatus = (status: MessageStatus) => async (own: TestBusiness) => (await aMessage(own, status)).id
const stopped = (status: MessageStatus) => async (own: TestBusiness) => {
  const { id, entity } = await aMessage(own, status)
  await own.db((db) => stopMessagesTx(db, entity, 'INV-1001 was voided'))
  return id
}

const states: Record<string, { make: (own: TestBusiness) => Promise<string>; may: MessageAction[] }> = {
  waiting: { make: inStatus('pending'), may: [] },
  'on its way': { make: inStatus('sending'), may: [] },
  delivered: { make: inStatus('delivered'), may: [] },
  failed: { make: inStatus('failed'), may: ['resend'] },
  'perhaps not arrived': { make: inStatus('unknown'), may: ['resend'] },
  'not sent': { make: inStatus('suppressed'), may: ['resend'] },
  'failed, and its invoice was voided': { make: stopped('failed'), may: [] },
  'perhaps not arrived, and its invoice was voided': { make: stopped('unknown'), may: [] },
  'waiting when its invoice was voided': { make: stopped('pending'), may: [] },
  'failed, to an address that takes nothing': {
    make: async (own) => {
      const { id, address } = await aMessage(own, 'failed')
      await own.db((db) => suppress(db, 'email', address, 'all', 'It bounced'))
      return id
    },
    may: [],
  },
  'sent again already': {
    make: async (own) => {
      const id = await inStatus('failed')(own)
      expect((await acts.resend(own.api, id)).status).toBe(200)
      return id
    },
    may: [],
  },
}

describe('what may be done with a message stands on it, and the commands say the same', () => {
  it.each(Object.entries(states))('%s', async (_, { make, may }) => {
    const own = await aBusiness()
    expect(await doneOf(own.api, () => make(own), read, acts)).toEqual(may)
    const clerk = await aPerson(own.id, 'Admin', { permissions: ['customers'] })
    expect(await doneOf(clerk.api, () => make(own), read, acts)).toEqual(may)
    const id = await make(own)
    const dispatcher = await aPerson(own.id, 'Admin', { permissions: ['schedule'] })
    for (const api of [dispatcher.api, (await own.employee()).api, await supportIn(own)])
      expect(await doneOf(api, async () => id, read, acts)).toEqual([])
  })

  it('what was being sent when its invoice was voided gets no other try', async () => {
    const own = await aBusiness()
    const id = await stopped('sending')(own)
    // the provider was away: it waits for its next try
    await setStatus(own, id, 'pending')
    await runTasks()
    const { body } = await read(own.api, id)
    expect([body.status, body.reason]).toEqual(['suppressed', 'INV-1001 was voided'])
  })
})
