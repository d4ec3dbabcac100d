import { screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, it, vi } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { CrewStop } from '../contract.ts'
import type { Crew } from './data.ts'
import { NextStop } from './NextStop.tsx'
import { textsOf } from './texts.ts'

const stop = {
  id: 'a',
  street: '12 Oak St',
  status: 'scheduled',
  services: ['Mowing'],
  notes: {},
  checklist: [],
  checked: [],
  words: [],
  photos: { before: 0, after: 0, other: 0 },
  driveMeters: null,
  driveSeconds: null,
  budgetMinutes: 30,
  people: 1,
} as unknown as CrewStop

it('a doubled tap on "On my way" says it once', async () => {
  const onWay = vi.fn()
  const nothing = () => undefined
  const crew = {
    t: textsOf('en'),
    language: 'en',
    now: Date.now(),
    timeZone: 'America/New_York',
    bundle: null,
    outbox: { userId: 'u' },
    state: { photos: [] },
  } as unknown as Crew
  const { user } = show(
    <MemoryRouter>
      <NextStop
        {...{ crew, stop, onWay }}
        onSkip={nothing}
        onNote={nothing}
        onPhotos={nothing}
        onCheck={nothing}
        onItemPhoto={nothing}
        onCollect={nothing}
        onTreat={nothing}
      />
    </MemoryRouter>,
  )
  await user.dblClick(screen.getByRole('button', { name: textsOf('en').onMyWay }))
  expect(onWay).toHaveBeenCalledTimes(1)
})
