import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { CrewStop } from '../contract.ts'
import type { Crew } from './data.ts'
import { SkipSheet } from './SkipSheet.tsx'
import { textsOf } from './texts.ts'

const stop = { id: 'a', street: '12 Oak St', photos: { before: 0, after: 1, other: 0 } } as CrewStop
const gate = { code: 'locked_gate', nameEs: '', needsPhoto: true, needsNote: false, charged: true }
const wet = { code: 'too_wet', nameEs: '', needsPhoto: false, needsNote: false }
const crew = { t: textsOf('en'), language: 'en', bundle: { skips: [gate, wet] } } as unknown as Crew

it('a reason that wants a photo says so before it can be skipped, what was taken stays in sight, and a charge is told', async () => {
  const skipped: string[] = []
  const part = (photos: CrewStop['photos']) => (
    <SkipSheet
      crew={crew}
      stop={{ ...stop, photos }}
      onClose={() => undefined}
      onSkip={(_, reason) => skipped.push(reason)}
      onPhotos={() => undefined}
    />
  )
  const { user, rerender } = show(part(stop.photos))
  expect(screen.getAllByText('Usually charged to the customer')).toHaveLength(1)
  await user.click(screen.getByLabelText(/Locked gate/))
  expect(screen.getByRole('status').textContent).toBe('The office wants a photo of it.')
  const skip = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Skip this stop' })
  expect(skip().disabled).toBe(true)
  rerender(part({ ...stop.photos, other: 1 }))
  expect(screen.getByRole('status').textContent).toBe('1 photo taken')
  expect(screen.getByRole('button', { name: 'Take another photo' })).toBeTruthy()
  await user.click(skip())
  expect(skipped).toEqual(['locked_gate'])
})

it('a reason that wants a photo holds nobody whose camera is broken: it is skipped with why, and the office reads it', async () => {
  const skipped: string[][] = []
  const { user } = show(
    <SkipSheet
      crew={crew}
      stop={stop}
      onClose={() => undefined}
      onSkip={(_, reason, note) => skipped.push([reason, note])}
      onPhotos={() => undefined}
    />,
  )
  await user.click(screen.getByLabelText(/Locked gate/))
  await user.click(screen.getByRole('button', { name: 'No photo possible…' }))
  await user.click(screen.getByRole('button', { name: 'Skip without a photo' }))
  expect([screen.getByText('Say why, so that the office knows.') !== null, skipped]).toEqual([true, []])
  await user.type(screen.getByLabelText('Why is there no photo?'), 'Camera is broken')
  await user.click(screen.getByRole('button', { name: 'Skip without a photo' }))
  expect(skipped).toEqual([['locked_gate', 'No photo: Camera is broken']])
})
