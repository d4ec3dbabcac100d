import { screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { answerWith, show } from '#src/ui/testing/show.tsx'
import { type Session, SessionContext } from '../../accounts/web/session.ts'
import type { BusinessSettings } from '../contract.ts'
import { CostsSection } from './BusinessSections.tsx'

const settings = {
  version: 3,
  defaultWageCents: 2200,
  burdenPercent: 12,
  targetLaborHourCents: 6500,
  mileCostCents: 70,
  driveFactorSeconds: 240,
  driveExponent: 0.66,
} as BusinessSettings

const state = {
  phase: 'signedIn',
  user: { role: 'Owner', permissions: [], business: { timeZone: 'America/New_York' } },
}
const session = { subscribe: () => () => undefined, get: () => state } as unknown as Session

it('an emptied wage is not saved as nothing: the field says what is wanted', async () => {
  const sent: object[] = []
  answerWith(async (request) => {
    if (request.method !== 'PUT') return { status: 404, body: { code: 'not_found', message: 'x' } }
    const body = (await request.json()) as object
    sent.push(body)
    return { body: { ...settings, ...body, version: 4 } }
  })
  const { user } = show(
    <SessionContext value={session}>
      <CostsSection settings={settings} />
    </SessionContext>,
  )
  const wage = screen.getByRole('textbox', { name: 'Usual wage' })
  await user.clear(wage)
  await user.click(screen.getByRole('button', { name: 'Save costs and targets' }))
  expect(await screen.findByText('Type the wage of an hour.')).toBeTruthy()
  expect(sent).toEqual([])
  await user.type(wage, '0')
  await user.click(screen.getByRole('button', { name: 'Save costs and targets' }))
  await waitFor(() => expect(sent).toEqual([{ defaultWageCents: 0, version: 3 }]))
})
