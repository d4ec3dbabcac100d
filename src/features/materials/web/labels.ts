import type { Material } from '../contract.ts'
import { amountText, kindLabel, packageText } from '../rules.ts'

/** "28-3-6" of a fertilizer, else how it comes. */
export const whatText = (material: Material): string =>
  [
    kindLabel[material.kind],
    material.nitrogenPercent === null
      ? ''
      : [material.nitrogenPercent, material.phosphatePercent, material.potashPercent]
          .map((one) => (one === null ? '?' : amountText(one, 1)))
          .join('-'),
    packageText(material),
  ]
    .filter(Boolean)
    .join(' · ')
