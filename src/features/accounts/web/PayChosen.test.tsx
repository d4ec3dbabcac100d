import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it } from 'vitest'
import { answerWith, show } from '../../../ui/testing/show.tsx'
import type { SessionUser } from '../contract.ts'
import { chosenOf, PayChosen } from './PayChosen.tsx'

it.each([
  ['?plan=pro', 'pro', 'month'],
  ['?plan=enterprise&period=year', 'enterprise', 'year'],
  ['?plan=basic', undefined, undefined],
  ['?plan=gold', undefined, undefined],
  ['', undefined, undefined],
])('%j has chosen %s', (search, plan, period) => {
  const chosen = chosenOf(search)
  expect([chosen?.plan.id, chosen?.period]).toEqual([plan, period])
})

it('says that the account is made and what comes next, and asks for the checkout of what was chosen', async () => {
  const sent: object[] = []
  answerWith(async (request) => {
    sent.push((await request.json()) as object)
    return { status: 409, body: { code: 'conflict', message: 'No payments right now.', requestId: 'r' } }
  })
  const chosen = chosenOf('?plan=pro')
  if (!chosen) throw new Error('Pro is a plan.')
  const { user } = show(
    <MemoryRouter>
      <PayChosen chosen={chosen} user={{ _id: 'u1' } as SessionUser} />
    </MemoryRouter>,
  )
  expect(screen.getByRole('heading', { name: 'Your account is made.' })).toBeTruthy()
  expect(screen.getByText(/^Next: pay for Pro, \$\d+\.\d\d a month\.$/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Pay for Pro' }))
  expect(await screen.findByText('No payments right now.')).toBeTruthy()
  expect(sent).toEqual([{ priceId: 'price_pro_month', userId: 'u1' }])
})
