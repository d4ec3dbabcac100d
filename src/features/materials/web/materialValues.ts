import type { MaterialFacts } from '../calculation/rules.ts'
import type { Material } from '../contract.ts'
import { type MaterialKind, type MaterialUnit, type Package, usualPackage } from '../rules.ts'

/** What is typed of a material; a number that is not there yet is null. */
export type Values = {
  kind: MaterialKind
  name: string
  package: Package
  packageSize: number | null
  unit: MaterialUnit
  weightPounds: number | null
  nitrogenPercent: number | null
  phosphatePercent: number | null
  potashPercent: number | null
  slowPercent: number | null
  purityPercent: number | null
  germinationPercent: number | null
  productId: string
  costCents: number | null
  reorderAt: number | null
  onHand: number | null
}

/** A material as its form has it, or what a new one begins with. */
export const valuesOf = (material: Material | null, usual?: MaterialFacts): Values => {
  const from = material ?? usual
  const { package: one, unit, size } = usualPackage[from?.kind ?? 'fertilizer']
  return {
    kind: from?.kind ?? 'fertilizer',
    // a typed one is called as the product that was chosen for it
    name: material?.name ?? (usual?.productId ? usual.name : ''),
    package: from?.package ?? one,
    packageSize: from?.packageSize ?? size,
    unit: from?.unit ?? unit,
    weightPounds: from?.weightPounds ?? null,
    nitrogenPercent: from?.nitrogenPercent ?? null,
    phosphatePercent: from?.phosphatePercent ?? null,
    potashPercent: from?.potashPercent ?? null,
    slowPercent: from?.slowPercent ?? null,
    purityPercent: from?.purityPercent ?? null,
    germinationPercent: from?.germinationPercent ?? null,
    productId: from?.productId ?? '',
    costCents: from?.costCents ?? null,
    reorderAt: material?.reorderAt ?? null,
    onHand: null,
  }
}

/** What belongs to another kind is left out, so that a fertilizer has no purity. */
export const bodyOf = ({ onHand: _, productId, packageSize, ...values }: Values) => {
  const is = (kind: MaterialKind) => values.kind === kind
  return {
    ...values,
    packageSize: packageSize ?? 0,
    productId: is('herbicide') && productId ? productId : null,
    nitrogenPercent: is('fertilizer') ? values.nitrogenPercent : null,
    phosphatePercent: is('fertilizer') ? values.phosphatePercent : null,
    potashPercent: is('fertilizer') ? values.potashPercent : null,
    slowPercent: is('fertilizer') ? values.slowPercent : null,
    purityPercent: is('seed') ? values.purityPercent : null,
    germinationPercent: is('seed') ? values.germinationPercent : null,
  }
}
export type Body = ReturnType<typeof bodyOf>
