import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { chemicalsApi } from '../../chemicals/contract.ts'
import { chemicalsQuery } from '../../chemicals/web/data.ts'
import type { MaterialFacts, PercentName } from '../calculation/rules.ts'
import { isBulk, type MaterialUnit, packages, packageText, priceRefusal, unitsOf } from '../rules.ts'

type Props = {
  facts: MaterialFacts
  seesMoney: boolean
  /** By field. */
  errors: Readonly<Record<string, string>>
  onChange: (facts: MaterialFacts) => void
}
type NumberName = {
  [K in keyof MaterialFacts]-?: MaterialFacts[K] extends number | null ? K : never
}[keyof MaterialFacts]

/** The product of the library whose label a tank mix goes by. */
const Product = ({ facts, onChange }: Pick<Props, 'facts' | 'onChange'>) => {
  const may = useMay()
  const found = useQuery({ ...chemicalsQuery, enabled: may(chemicalsApi.catalog) })
  const products = found.data?.products.filter(({ archivedAt }) => !archivedAt) ?? []
  const current = products.find(({ id }) => id === facts.productId)
  if (found.isError && !found.data)
    return (
      <ErrorState
        compact
        error={found.error}
        title="We could not load your products"
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    )
  return (
    <SelectField
      label="Product"
      value={current?.id ?? ''}
      placeholder="Choose a product"
      onChange={(id) => {
        const product = products.find((one) => one.id === id)
        if (!product) return
        onChange({
          ...facts,
          name: product.name,
          productId: product.id,
          unit: product.unit,
          label: { low: product.labelLow, high: product.labelHigh, unit: product.unit },
        })
      }}
      hint="Of your library, under Services, Chemicals: a rate comes from its label alone."
      options={products.map(({ id, name }) => ({ value: id, label: name }))}
    />
  )
}

/** A material that is on no list: what stands on its bag. */
export const TypedMaterial = ({ facts, seesMoney, errors, onChange }: Props) => {
  const set = (more: Partial<MaterialFacts>) => onChange({ ...facts, ...more })
  const number = (name: NumberName) => ({
    value: facts[name],
    onChange: (value: number | null) => set({ [name]: value }),
    min: 0,
  })
  const percent = (name: PercentName) => ({
    ...number(name),
    max: 100,
    error: errors[name],
  })
  const { kind, unit } = facts
  return (
    <>
      {kind === 'herbicide' ? <Product facts={facts} onChange={onChange} /> : null}
      <div className="mat-even">
        <FieldGrid min={140}>
          {kind === 'fertilizer' ? (
            <>
              <NumberField label="N" unit="%" {...percent('nitrogenPercent')} />
              <NumberField label="P₂O₅" unit="%" {...percent('phosphatePercent')} />
              <NumberField label="K₂O" unit="%" {...percent('potashPercent')} />
              <NumberField label="Slow N" optional unit="%" {...percent('slowPercent')} />
            </>
          ) : null}
          {kind === 'seed' ? (
            <>
              <NumberField label="Purity" optional unit="%" {...percent('purityPercent')} />
              <NumberField label="Germination" optional unit="%" {...percent('germinationPercent')} />
            </>
          ) : null}
          {isBulk(kind) ? (
            <SelectField
              label="Sold"
              value={unit}
              onChange={(one: MaterialUnit) =>
                set(
                  one === 'yd'
                    ? { unit: one, package: 'yard', packageSize: 1 }
                    : { unit: one, package: 'bag', packageSize: 2 },
                )
              }
              options={unitsOf[kind].map((value) => ({ value, label: value === 'yd' ? 'by the yard' : 'in bags' }))}
            />
          ) : null}
          {unit === 'yd' ? null : (
            <NumberField
              label={`Per ${facts.package}`}
              unit={unit}
              value={facts.packageSize}
              min={0}
              refuse={(value) => (value > 0 ? null : 'More than nothing.')}
              onChange={(value) => (value === null ? undefined : set({ packageSize: value }))}
            />
          )}
          {seesMoney ? (
            <MoneyField
              label={`Price per ${facts.package}`}
              optional
              refuse={priceRefusal}
              value={facts.costCents}
              onChange={(costCents) => set({ costCents })}
            />
          ) : null}
        </FieldGrid>
      </div>
      <p className="hint">{packages.includes(facts.package) ? `Based on: ${packageText(facts)}.` : ''}</p>
    </>
  )
}
