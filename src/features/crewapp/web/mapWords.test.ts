import { expect, it } from 'vitest'
import { drawnWords, englishMap } from '../../../ui/mapWords.ts'
import { textsOf } from './texts.ts'

it('a map says nothing of its own that is not in the language of the phone', () => {
  const es = textsOf('es').map
  expect(drawnWords(es)).toMatchObject({
    'CooperativeGesturesHandler.MobileHelpText': 'Usa dos dedos para mover el mapa',
    'CooperativeGesturesHandler.MacHelpText': 'Usa ⌘ + rueda para acercar el mapa',
  })
  const same = (Object.keys(englishMap) as (keyof typeof englishMap)[]).filter((key) => es[key] === englishMap[key])
  expect(same).toEqual([])
})
