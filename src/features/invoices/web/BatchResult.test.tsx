import { screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import type { InvoiceBatch } from '../batch/contract.ts'
import { BatchResult } from './BatchResult.tsx'

const batch: InvoiceBatch = {
  batchId: '01a202c7-f2af-717a-8cad-ef17944daadf',
  status: 'running',
  send: true,
  total: 120,
  done: 40,
  invoiceCount: 40,
  visitCount: 52,
  totalCents: 220_000,
  mailedCount: 38,
  unmailedCount: 0,
  autopay: { count: 0, cents: 0 },
  lostCount: 0,
  lost: [],
  leftOutCount: 0,
  error: null,
}

/** The window after the click; `server` says how it stands when it is asked again. */
const seen = (made: InvoiceBatch, server = () => made) => {
  const pressed: string[] = []
  const asked = answerWith(() => ({ body: server() }))
  const view = show(
    <BatchResult made={made} onShow={(view) => pressed.push(view ?? 'show')} onClose={() => pressed.push('close')} />,
  )
  return { ...view, asked, pressed, text: () => view.container.textContent ?? '' }
}

describe('what a click made', () => {
  it('says how far it is, moves as it moves, and that it goes on without this window', async () => {
    let now = batch
    const { client, asked, text } = seen(batch, () => now)
    const bar = () => screen.getByRole('progressbar', { name: 'Invoices made and issued' })
    expect([bar().getAttribute('aria-valuenow'), bar().getAttribute('aria-valuemax')]).toEqual(['40', '120'])
    expect(text()).toContain('Creating 120 invoices')
    expect(text()).toContain('40 of 120')
    expect(text()).toContain('You can close this; it goes on.')
    expect(asked).toEqual([])
    // what the stream of changes does
    now = { ...batch, done: 90, invoiceCount: 90 }
    await client.invalidateQueries()
    await screen.findByText('90 of 120')
    expect(asked).toEqual([`GET /api/invoices/batches/${batch.batchId}`])
    now = {
      ...batch,
      status: 'done',
      done: 120,
      invoiceCount: 120,
      visitCount: 150,
      totalCents: 660_000,
      mailedCount: 118,
    }
    await client.invalidateQueries()
    await screen.findByRole('heading', { name: '120 invoices made and issued' })
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(text()).toContain('$6,600.00')
    expect(text()).toContain('for 150 finished visits. 118 invoices with a link to pay are on the way.')
  })

  it('leads to them and closes', async () => {
    const { user, pressed } = seen({ ...batch, status: 'done', done: 120, invoiceCount: 1 })
    await user.click(screen.getByRole('button', { name: 'See the 1 invoice' }))
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(pressed).toEqual(['show', 'close'])
  })

  it('leads to those that nothing carried', async () => {
    const { user, pressed } = seen({ ...batch, status: 'done', done: 120, invoiceCount: 120, unmailedCount: 2 })
    await user.click(screen.getByRole('button', { name: 'See these 2' }))
    expect(pressed).toEqual(['unsent'])
  })

  it('leads to what autopay charges of it', async () => {
    const { user, pressed, text } = seen({ ...batch, status: 'done', autopay: { count: 2, cents: 11_000 } })
    expect(text()).toContain('Autopay charges 2 of them, $110.00')
    await user.click(screen.getByRole('button', { name: 'See what autopay charges' }))
    expect(pressed).toEqual(['autopay'])
  })

  it('counts what came back, says whose it is, and leads to the address', () => {
    const customer = { id: '01a202c7-f2af-717a-8cad-ef17944daad2', name: 'Ann Lee' }
    const lost = [{ id: '01a202c7-f2af-717a-8cad-ef17944daad3', number: 1007, customer }]
    const { text } = seen({ ...batch, status: 'done', invoiceCount: 6, mailedCount: 6, lostCount: 1, lost })
    expect(text()).toContain('for 52 finished visits. 5 sent.')
    expect(text()).toContain('1 did not arrive.')
    expect(text()).not.toContain('on the way')
    expect(text()).toContain('INV-1007 to Ann Lee.')
    const link = screen.getByRole('link', { name: 'Correct the address or number of Ann Lee' })
    expect(link.getAttribute('href')).toContain(customer.id)
  })

  it('drafts are called drafts, and nothing is said to be mailed', () => {
    const { text } = seen({ ...batch, status: 'done', send: false, done: 2, total: 2, invoiceCount: 2, mailedCount: 0 })
    expect(screen.getByRole('heading').textContent).toBe('2 drafts made')
    expect(screen.getByRole('button', { name: 'Look over 2 drafts' })).toBeTruthy()
    expect(text()).toContain('Nothing was mailed yet')
  })

  it('one that stopped says how far it came, why, and that what was made stays', () => {
    const { text } = seen({ ...batch, status: 'failed', error: 'The database was away.' })
    expect(text()).toContain('This stopped part of the way.')
    expect(text()).toContain('40 of 120 were looked at. The database was away. What was made stays')
    expect(screen.queryByRole('progressbar')).toBeNull()
  })

  it.each([
    [{ leftOutCount: 1 }, '1 invoice was not made.'],
    [{ leftOutCount: 3 }, '3 invoices were not made.'],
    [{ leftOutCount: 2, send: false }, '2 drafts were not made.'],
    [{ autopay: { count: 31, cents: 170_550 } }, 'Autopay charges 31 of them, $1,705.50, on the day'],
    [{ unmailedCount: 2 }, '2 invoices that no mail and no text carries.'],
    [{ mailedCount: 0, unmailedCount: 120 }, 'Nothing left: neither a mail nor a text reaches any of these customers.'],
    [{ mailedCount: 1 }, '1 invoice with a link to pay is on the way.'],
  ])('%j says "%s"', (changes, words) => {
    const { text } = seen({ ...batch, status: 'done', done: 120, invoiceCount: 120, ...changes })
    expect(text()).toContain(words)
  })
})
