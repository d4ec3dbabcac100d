import { screen, waitFor } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../../ui/testing/show.tsx'
import { type Session, SessionContext } from '../../../accounts/web/session.ts'
import type { LowLawn, LowLawns } from '../contract.ts'
import { PriceLettersTab } from './PriceLettersTab.tsx'

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session
const lawn = (n: number, street: string): LowLawn => ({
  ...{ lineId: `00000000-0000-4000-8000-00000000000${n}`, jobId: `00000000-0000-4000-8000-00000000001${n}` },
  ...{ jobNumber: n, customerId: `00000000-0000-4000-8000-00000000002${n}`, customerName: 'Ann', street },
  propertyId: `00000000-0000-4000-8000-00000000003${n}`,
  ...{ serviceName: 'Mow', completions: 3, laborMinutes: 60, quantity: 1, unitPriceCents: 4200, earnedCents: 4200 },
  ...{ suggestedCents: 6000, monthCents: 7800 },
})
const found = (items: LowLawn[]): LowLawns => ({
  ...{ from: '2026-03-11', to: '2026-06-08', targetLaborHourCents: 6000, noticeDays: 30, earliestOn: '2026-07-08' },
  ...{ items, count: items.length, left: [], leftCount: 0, told: items.length, letters: [] },
})

it('what is ticked and typed stays, whatever days are looked at and while another screen is', async () => {
  const both = [lawn(1, '1 Oak St'), lawn(2, '2 Elm Ave')]
  answerWith((request) => ({
    status: 200,
    body: found(request.url.includes('period=month') ? both.slice(0, 1) : both),
  }))
  const screenOf = () =>
    show(
      <SessionContext value={session}>
        <MemoryRouter>
          <PriceLettersTab />
        </MemoryRouter>
      </SessionContext>,
    )
  const { user, unmount } = screenOf()
  const box = (name: RegExp) => screen.findByRole<HTMLInputElement>('checkbox', { name })
  await user.click(await box(/1 Oak St/))
  await user.click(await box(/2 Elm Ave/))
  const price = () => screen.findByRole<HTMLInputElement>('textbox', { name: /New price for 1 Oak St/ })
  await user.clear(await price())
  await user.type(await price(), '71')
  await user.tab()
  await user.click(screen.getByRole('button', { name: '30 days' }))
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: /2 Elm Ave/ })).toBeNull())
  expect([(await box(/1 Oak St/)).checked, (await price()).value]).toEqual([true, '71.00'])
  await user.click(screen.getByRole('button', { name: '90 days' }))
  expect((await box(/2 Elm Ave/)).checked).toBe(true)
  unmount()
  screenOf()
  expect([(await box(/1 Oak St/)).checked, (await price()).value]).toEqual([true, '71.00'])
})
