import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { CrewStop } from '../contract.ts'
import type { Crew } from './data.ts'
import { FinishSheet } from './FinishSheet.tsx'
import { textsOf } from './texts.ts'

const stop = {
  id: 'a',
  street: '12 Oak St',
  checklist: [{ text: 'Close the gate', required: true }],
  checked: [],
  photoRequired: false,
  photos: { before: 0, after: 0, other: 0 },
  treatment: { treats: true, squareFeet: 8000, records: 0, needed: true, keepOffUntil: null },
} as unknown as CrewStop

it('holds no leader at a stop where a required point and the record are both missing', async () => {
  const crew = {
    t: textsOf('en'),
    language: 'en',
    timeZone: 'America/New_York',
    now: 0,
    plan: { crew: { leads: true } },
    bundle: {},
  } as unknown as Crew
  const finished: unknown[] = []
  const { user } = show(
    <FinishSheet
      crew={crew}
      stop={stop}
      onClose={() => undefined}
      onFinish={(_, without, noRecord) => finished.push([without, noRecord])}
      onPhotos={() => undefined}
      onTreat={() => undefined}
    />,
  )
  // The simulated page shows no dialog while a part of it is still being fetched.
  const anyway = () => screen.getByRole('button', { name: 'Finish anyway…', hidden: true })
  await user.click(anyway())
  await user.type(screen.getByRole('textbox', { hidden: true }), 'Storm came up')
  await user.click(anyway())
  expect(finished).toEqual([['Storm came up', 'Storm came up']])
})
