import { screen } from '@testing-library/react'
import { it } from 'vitest'
import { show } from '../../../ui/testing/show.tsx'
import type { Crew } from './data.ts'
import { textsOf } from './texts.ts'
import { UnsentList } from './UnsentSheet.tsx'

it('each switch of the clock that waits says to what it was', () => {
  const commands = (['rain', 'shop', 'work'] as const).map((kind, seq) => ({
    ...{ seq, userId: 'luis', label: '', queuedAt: 0, notBefore: 0, state: 'waiting', reason: null },
    command: { id: kind, type: 'switch', at: '', payload: { kind } },
  }))
  const crew = { t: textsOf('es'), language: 'es', now: 1, state: { commands, photos: [] } } as unknown as Crew
  show(<UnsentList crew={crew} />)
  for (const what of ['Ahora: Espera por lluvia', 'Ahora: Taller', 'Ahora: Trabajo']) screen.getByText(what)
})
