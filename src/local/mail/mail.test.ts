import sharp from 'sharp'
import { afterEach, describe, expect, it } from 'vitest'
import { expensesApi } from '../../features/expenses/contract.ts'
import { messagesApi } from '../../features/messages/contract.ts'
import { conversationsApi } from '../../features/messages/conversations/contract.ts'
import { config } from '../../platform/config.ts'
import { runTasks, stranger } from '../../test/api.ts'
import { aCustomer } from '../../test/cards.ts'
import { aBusiness } from '../../test/factories.ts'
import { localMailApi } from './contract.ts'

const before = { ...config }
afterEach(() => Object.assign(config, before))

const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: '#3a5' } })
    .png()
    .toBuffer()
const pdf = Buffer.from('%PDF-1.4 a receipt')

describe('mail that is written in the local outbox', () => {
  it('as an answer to a mail lands in the thread of who got it', async () => {
    const own = await aBusiness()
    const customerId = await aCustomer(own, 'odom@home.example')
    const sent = await own.api.ok(messagesApi.sendEmail, {
      params: { id: customerId },
      body: { subject: 'Aeration', text: 'Shall we come on Friday?' },
    })
    await runTasks()
    const { answer } = await own.api.ok(localMailApi.addresses, { query: { answers: sent.id } })
    expect(answer).toMatchObject({ from: 'odom@home.example', subject: 'Re: Aeration' })
    const body = { ...answer, to: answer?.to ?? '', from: answer?.from ?? '', text: 'Friday is fine.' }
    expect(await own.api.ok(localMailApi.send, { body })).toEqual({ received: true })
    await runTasks()
    const { items } = await own.api.ok(conversationsApi.thread, { params: { id: customerId }, query: {} })
    expect(items[0]).toMatchObject({
      kind: 'message',
      message: { channel: 'email', direction: 'inbound', text: 'Friday is fine.', address: 'odom@home.example' },
    })
    const other = await aBusiness()
    expect((await other.api.call(localMailApi.addresses, { query: { answers: sent.id } })).status).toBe(404)
  })

  it('as a receipt with a photo and a PDF becomes an expense that waits to be looked at', async () => {
    const own = await aBusiness()
    const { addresses } = await own.api.ok(localMailApi.addresses, { query: {} })
    const { mailTo } = await own.api.ok(expensesApi.choices, {})
    expect(addresses.map(({ to }) => to)).toContain(mailTo)
    const file = (name: string, mime: string, bytes: Buffer) => ({ name, mime, base64: bytes.toString('base64') })
    await own.api.ok(localMailApi.send, {
      body: {
        from: 'orders@siteone.example',
        to: mailTo ?? '',
        subject: 'Your receipt: 2 × seed, José',
        text: 'Total: $107.00',
        files: [file('Beleg ü.png', 'image/png', await picture()), file('receipt.pdf', 'application/pdf', pdf)],
      },
    })
    const { items } = await own.api.ok(expensesApi.list, { query: { review: 'true' } })
    expect(items).toHaveLength(1)
    expect(items[0]).toMatchObject({
      source: 'mail',
      vendor: 'Siteone',
      totalCents: 10_700,
      review: true,
      receiptCount: 2,
      note: 'Your receipt: 2 × seed, José',
    })
  })

  it('to an address that nobody made is taken by nobody, and what is wrong with it is said', async () => {
    const own = await aBusiness()
    const mail = { from: 'ana@home.example', to: 'receipts+nobody@in.swath.example', text: 'Hello' }
    expect(await own.api.ok(localMailApi.send, { body: mail })).toEqual({ received: false })
    for (const wrong of [
      { from: 'ana' },
      { text: '' },
      { to: '' },
      { subject: 'One\r\nBcc: all@home.example' },
      { files: [{ name: 'a', mime: 'image/png\r\nX: y', base64: '' }] },
      {
        files: [
          { name: 'a', mime: 'image/png', base64: 'A'.repeat(7_200_000) },
          { name: 'b', mime: 'image/png', base64: 'A'.repeat(2_800_000) },
        ],
      },
    ])
      expect((await own.api.call(localMailApi.send, { body: { ...mail, ...wrong } })).status).toBe(422)
    const employee = await own.employee()
    expect((await employee.api.call(localMailApi.send, { body: mail })).status).toBe(403)
    expect((await stranger.call(localMailApi.send, { body: mail })).status).toBe(401)
  })

  it('is nowhere in production', async () => {
    const own = await aBusiness()
    Object.assign(config, { production: true })
    const mail = { from: 'ana@home.example', to: 'receipts+nobody@in.swath.example', text: 'Hello' }
    expect((await own.api.call(localMailApi.send, { body: mail })).status).toBe(404)
    expect((await own.api.call(localMailApi.addresses, { query: {} })).status).toBe(404)
  })
})
