import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import { ClockOutSheet } from './ClockOutSheet.tsx'
import type { Crew } from './data.ts'
import { textsOf } from './texts.ts'

it('clocking out the whole crew says first what is still open, and then does it for all', async () => {
  const act = vi.fn(async () => 'id')
  const crew = {
    ...{ t: textsOf('en'), today: '2026-11-28', clock: { week: { days: [] } }, act },
    plan: { stops: [{ status: 'scheduled' }] },
  } as unknown as Crew
  const { user } = show(
    <ClockOutSheet crew={crew} open onClose={() => undefined} whole="Clock out the whole crew: Luis, Ana" />,
  )
  screen.getByText('One stop is still open.')
  await user.click(screen.getByRole('button', { name: 'Clock out the whole crew: Luis, Ana', hidden: true }))
  expect(act).toHaveBeenCalledWith('clock_out', undefined, { crew: true })
})
