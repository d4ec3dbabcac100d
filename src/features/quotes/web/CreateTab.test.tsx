import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import { defaultServices } from '../../services/defaults/rules.ts'
import { CreateTab } from './CreateTab.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const id = (end: string) => `01a202c7-f2af-717a-8cad-ef17944daa${end}`
const service = (end: string, name: string) => ({
  ...{ ...defaultServices[0], id: id(end), name, version: 3, position: 0, archivedAt: null, jobCount: 0 },
  ...{ nextPrice: null, can: {} },
})

const open = (more: object[] = []) => {
  const made: { content: { lines: { serviceId: string; frequency: string }[] }; leadId?: string }[] = []
  answerWith(async (request) => {
    const { pathname } = new URL(request.url)
    if (request.method === 'POST') {
      made.push(await request.json())
      return { body: { id: id('99') } }
    }
    if (pathname.endsWith(id('01')))
      return {
        body: {
          id: id('01'),
          name: 'Fern Quill',
          properties: [
            {
              ...{ id: id('02'), customerId: id('01'), street: '7 Bay St', city: '', difficulty: 1, archivedAt: null },
              ...{ lawnSquareFeet: 8000, bedSquareFeet: null, edgeFeet: 240 },
            },
          ],
        },
      }
    if (pathname.endsWith(id('03')))
      return {
        body: {
          name: 'Fern Quill',
          priceLowCents: 7200,
          priceHighCents: 7200,
          chosen: [{ serviceId: id('11'), frequency: 'biweekly' }],
          afterLook: ['Mulch'],
        },
      }
    if (pathname.includes('templates')) return { body: { items: [] } }
    if (pathname.includes('services'))
      return { body: { items: [service('10', 'Aeration'), service('11', 'Mowing'), ...more] } }
    return { body: { seasonStart: '03-01', seasonEnd: '11-30' } }
  })
  return {
    made,
    ...show(
      <MemoryRouter initialEntries={[`/quotes?tab=create&customerId=${id('01')}&leadId=${id('03')}`]}>
        <SessionContext value={session}>
          <CreateTab />
        </SessionContext>
      </MemoryRouter>,
    ),
  }
}

it('a quote from a request begins with the work that was chosen in it, as often, and with the price that was told', async () => {
  const { user, made } = open()
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Mowing/ }).checked).toBe(true))
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Aeration/ }).checked).toBe(false)
  screen.getByText(/They were told \$72\.00 .* Mulch is not in it: priced after a look\./)
  await user.click(screen.getByRole('button', { name: 'Make the draft and open the builder' }))
  await waitFor(() =>
    expect(made).toMatchObject([
      { leadId: id('03'), content: { lines: [{ serviceId: id('11'), frequency: 'biweekly' }] } },
    ]),
  )
})

it('what was chosen can be unticked, and other work added', async () => {
  const { user, made } = open()
  await waitFor(() => expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Mowing/ }).checked).toBe(true))
  await user.click(screen.getByRole('checkbox', { name: /^Mowing/ }))
  await user.click(screen.getByRole('checkbox', { name: /^Aeration/ }))
  await user.click(screen.getByRole('button', { name: 'Make the draft and open the builder' }))
  await waitFor(() => expect(made[0]?.content.lines.map(({ serviceId }) => serviceId)).toEqual([id('10')]))
})

it('work that goes by the beds, where nobody measured them, has no price of the lawn and the way to the drawing', async () => {
  const by = (measuredBy: string, end: string, name: string) => ({ ...service(end, name), measuredBy })
  const { user } = open([by('beds', '12', 'Mulch'), by('edges', '13', 'Edging')])
  const mulch = await screen.findByRole('checkbox', { name: /^Mulch/ })
  screen.getByText('Measure the beds for its price')
  await user.click(mulch)
  // it opens over the quote: what was chosen stays
  screen.getByRole('button', { name: 'Measure the beds' })
  // the edges are known: their price stands, by 240 and not by 8,000
  expect(screen.queryByText('Measure the edges for its price')).toBeNull()
  screen.getByText(/8,000 sq ft of lawn, 240 ft of edges/)
})
