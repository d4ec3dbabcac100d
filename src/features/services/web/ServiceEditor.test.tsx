import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { ToastHost } from '../../../ui/ToastHost.tsx'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { ServiceRecord } from '../contract.ts'
import { defaultServices } from '../defaults/rules.ts'
import { ServiceEditor } from './ServiceEditor.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York', subscription: { active: true } } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const service = {
  ...{ ...defaultServices[0], id: '01a202c7-f2af-717a-8cad-ef17944daa01', name: 'Mowing', version: 3 },
  ...{ position: 0, archivedAt: null, jobCount: 0, nextPrice: null, can: {} },
} as unknown as ServiceRecord

it('a saved service can be put back as it was, field by field', async () => {
  const sent: unknown[] = []
  answerWith(async (request) => {
    if (request.method === 'GET') return { body: { items: [service] } }
    const body = (await request.json()) as { version: number }
    sent.push(body)
    return { body: { ...service, ...body, version: body.version + 1 } }
  })
  const { user } = show(
    <SessionContext value={session}>
      <ServiceEditor service={service} canEdit onClose={() => undefined} />
      <ToastHost />
    </SessionContext>,
  )
  const name = screen.getByRole('textbox', { name: 'Name' })
  await user.clear(name)
  await user.type(name, 'Mow and trim')
  await user.click(screen.getByRole('button', { name: 'Save service' }))
  await screen.findByText('Mow and trim saved')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(sent).toEqual([
      { name: 'Mow and trim', version: 3 },
      { name: 'Mowing', version: 4 },
    ]),
  )
  await screen.findByText('Undone: Mowing is as it was')
})

it('with another measure begins its rates anew, says so, and has them again with the one before', async () => {
  const tiers = [
    { upToSquareFeet: 20_000, centsPerKsqft: 275 },
    { upToSquareFeet: null, centsPerKsqft: 225 },
  ]
  const bySize = { ...service, measuredBy: 'lawn', priceRule: { ...service.priceRule, tiers } } as ServiceRecord
  answerWith(() => ({ body: { items: [bySize] } }))
  const { user } = show(
    <SessionContext value={session}>
      <ServiceEditor service={bySize} canEdit onClose={() => undefined} />
    </SessionContext>,
  )
  const rates = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Rate \d/ }).map(({ value }) => value)
  const was = rates()
  expect(was).toHaveLength(2)
  expect(screen.queryByText(/These are first rates/)).toBeNull()
  const measure = screen.getByRole('combobox', { name: 'Measured by' })
  await user.selectOptions(measure, 'beds')
  expect(rates()).toEqual(['200.00'])
  screen.getByText('These are first rates for each 1,000 sq ft of beds.')
  await user.selectOptions(measure, 'lawn')
  expect(rates()).toEqual(was)
  expect(screen.queryByText(/These are first rates/)).toBeNull()
})
