import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { Crew } from './data.ts'
import { textsOf } from './texts.ts'
import { UndoBar } from './UndoBar.tsx'

const crew = { t: textsOf('en') } as unknown as Crew

it.each([
  [false, 1],
  [true, 0],
])('what has left (%s) is told, and there is no way back to press', (hasLeft, buttons) => {
  show(<UndoBar crew={crew} done={{ commandId: 'c', text: '12 Oak St finished', hasLeft }} onGone={() => undefined} />)
  expect(screen.getByText('12 Oak St finished')).toBeTruthy()
  expect(screen.queryAllByRole('button', { name: 'Undo' })).toHaveLength(buttons)
})

it('makes room for the news above it, for as long as it stands there', () => {
  const room = () => document.documentElement.style.getPropertyValue('--undo-room')
  const bar = (text: string | null) => (
    <UndoBar
      crew={crew}
      done={text === null ? null : { commandId: 'c', text, hasLeft: false }}
      onGone={() => undefined}
    />
  )
  const { rerender } = show(bar('12 Oak St finished'))
  expect(room()).toMatch(/px$/)
  rerender(bar(null))
  expect(room()).toBe('')
})
