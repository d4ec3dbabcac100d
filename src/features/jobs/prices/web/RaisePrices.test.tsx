import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import type { ServiceRecord } from '../../../services/contract.ts'
import { RaisePrices } from './RaisePrices.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const priceRule: NonNullable<ServiceRecord['priceRule']> = {
  minCents: 6000,
  sizeAtMinSquareFeet: 0,
  tiers: [{ upToSquareFeet: null, centsPerKsqft: 0 }],
  roundToCents: 100,
  difficultyPercent: [100, 100, 100, 100, 100],
  frequencyPercent: { weekly: 100, biweekly: 100, monthly: 100, once: 100 },
  firstCutPercent: 100,
}
const service = (id: string, name: string, nextPrice: ServiceRecord['nextPrice']) =>
  ({ id, name, unit: 'visit', jobCount: 3, priceRule, nextPrice }) as unknown as ServiceRecord

it('a service that already gets a new price is raised again only when it is ticked, and that change is one click off', async () => {
  const bodies: { raise: { serviceIds: string[] } }[] = []
  answerWith(async (request) => {
    bodies.push((await request.json()) as (typeof bodies)[number])
    return { status: 500, body: { code: 'internal', message: 'Down', requestId: 'r' } }
  })
  let shown = 0
  const { user } = show(
    <SessionContext value={session}>
      <RaisePrices
        services={[service('a', 'Mow', { fromOn: '2026-12-01', priceRule }), service('b', 'Edge', null)]}
        open
        onClose={() => undefined}
        onShowChanges={() => shown++}
      />
    </SessionContext>,
  )
  const box = async (name: RegExp) => screen.findByRole<HTMLInputElement>('checkbox', { name })
  expect([(await box(/Mow/)).checked, (await box(/Mow/)).disabled]).toEqual([false, false])
  expect((await box(/Edge/)).checked).toBe(true)
  expect(screen.getByText(/from Tue, Dec 1/)).toBeTruthy()
  expect(screen.getByText('Mow already gets a new price.')).toBeTruthy()
  await screen.findByText('Down')
  expect(bodies[0]?.raise.serviceIds).toEqual(['b'])
  await user.click(await box(/Mow/))
  await waitFor(() => expect(bodies.at(-1)?.raise.serviceIds.toSorted()).toEqual(['a', 'b']))
  await user.click(screen.getByRole('button', { name: 'Show price changes' }))
  expect(shown).toBe(1)
})
