import { expect, test } from 'vitest'
import { bodyOf, valuesOf } from './materialValues.ts'
import { typedFacts } from './values.ts'

test('a typed tank mix keeps its product and name when it goes on the list', () => {
  const productId = '0199a000-0000-7000-8000-000000000001'
  const typed = { ...typedFacts('herbicide'), name: 'Trimec Classic', productId }
  expect(bodyOf(valuesOf(null, typed))).toMatchObject({ kind: 'herbicide', name: 'Trimec Classic', productId })
  // what was typed of another kind has no name yet
  expect(bodyOf(valuesOf(null, typedFacts('mulch')))).toMatchObject({ name: '', productId: null })
})
