import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../../ui/testing/show.tsx'
import type { CrewStop } from '../../contract.ts'
import type { Crew } from '../data.ts'
import { textsOf } from '../texts.ts'
import { ExtraPart } from './ExtraPart.tsx'

const crew = {
  t: textsOf('en'),
  language: 'en',
  bundle: { extras: { overgrown: { asks: false, steps: [{ id: 'tall', en: 'Tall grass', es: '' }] } } },
} as unknown as Crew

it.each([
  ['something is mowed', true, true],
  ['only mulch, hedges, leaves or snow are done', false, false],
  ['a day that was kept on the phone does not say', undefined, true],
])('where %s, tall grass is offered: %s → %s', (_, mows, offered) => {
  const stop = { id: 'a', status: 'in_progress', ...(mows === undefined ? {} : { mows }) } as CrewStop
  show(<ExtraPart crew={crew} stop={stop} />)
  expect(screen.queryAllByRole('button', { name: /tall|overgrown/i }).length > 0).toBe(offered)
})

it('names an extra once, and its button for who does not see which box it stands in', () => {
  const extra = {
    id: 'x',
    kind: 'sale',
    state: 'added',
    title: 'Hedge trimming, 2 hours',
    titleEs: '',
    by: '',
    why: '',
  }
  const stop = { id: 'a', status: 'in_progress', extras: [{ ...extra, open: true }] } as unknown as CrewStop
  show(<ExtraPart crew={crew} stop={stop} />)
  expect(screen.getByRole('button', { name: 'Take back: Hedge trimming, 2 hours' }).textContent).toBe('Take back')
})
