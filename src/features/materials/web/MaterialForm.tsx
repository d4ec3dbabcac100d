import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { has } from '../../../shared/roles.ts'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { useMay, useUser } from '../../accounts/web/session.ts'
import { chemicalsApi } from '../../chemicals/contract.ts'
import { chemicalsQuery } from '../../chemicals/web/data.ts'
import { type MaterialFacts, percentRefusal } from '../calculation/rules.ts'
import { type Material, materialsApi } from '../contract.ts'
import { isBulk, kindLabel, materialKinds, packages, priceRefusal, unitsOf, usualPackage } from '../rules.ts'
import { useAddMaterial, useMaterialVerb } from './data.ts'
import { type Body, bodyOf, type Values, valuesOf } from './materialValues.ts'

type Props = {
  material: Material | null
  /** What a new one begins with. */
  usual?: MaterialFacts
  onDone: (material: Material) => void
}

/** A new material, or what is known of one. */
export const MaterialForm = ({ material, usual, onDone }: Props) => {
  const form = useForm<Values>({ defaultValues: valuesOf(material, usual) })
  const { control, watch, setValue, formState } = form
  const user = useUser()
  const may = useMay()
  const seesMoney = has(user, 'money')
  const add = useAddMaterial()
  const change = useMaterialVerb(material?.id ?? '', 'update')
  const versioned = useVersioned<Material, Body>({
    record: material,
    read: (record) => bodyOf(valuesOf(record)),
    load: () => call(materialsApi.get, { params: { id: material?.id ?? '' } }),
    words: {
      kind: 'Kind',
      name: 'Name',
      package: 'Comes as',
      packageSize: 'Per package',
      unit: 'Measured in',
      weightPounds: 'Weight of one',
      nitrogenPercent: 'N',
      phosphatePercent: 'P₂O₅',
      potashPercent: 'K₂O',
      slowPercent: 'Slow release',
      purityPercent: 'Purity',
      germinationPercent: 'Germination',
      productId: 'Product',
      costCents: 'Price per package',
      reorderAt: 'Reorder at',
    },
    ...(material ? { live: { dirty: formState.isDirty, fill: (record) => form.reset(valuesOf(record)) } } : {}),
  })
  const [kind, unit, one] = watch(['kind', 'unit', 'package'])
  const catalog = useQuery({ ...chemicalsQuery, enabled: kind === 'herbicide' && may(chemicalsApi.catalog) })
  const products = catalog.data?.products.filter(({ archivedAt }) => !archivedAt) ?? []
  const submit = async (values: Values) => {
    if (!material) {
      const { costCents, ...body } = bodyOf(values)
      const made = await add.mutateAsync({ ...body, ...(seesMoney ? { costCents } : {}), onHand: values.onHand ?? 0 })
      toast.success(`${made.name} is on the list`)
      return onDone(made)
    }
    await versioned.save(bodyOf(values), async (changes, over, also) => {
      const saved = await change.mutateAsync({ ...changes, version: over.version })
      versioned.refill(saved)
      toast.success(`${saved.name} saved${also}`)
      onDone(saved)
    })
  }
  const percent = (name: 'nitrogenPercent' | 'phosphatePercent' | 'potashPercent', label: string) => (
    <FormField control={control} name={name}>
      {(f) => (
        <NumberField label={label} unit="%" min={0} max={100} refuse={(value) => percentRefusal(name, value)} {...f} />
      )}
    </FormField>
  )
  const maybe = (name: 'slowPercent' | 'purityPercent' | 'germinationPercent', label: string) => (
    <FormField control={control} name={name}>
      {(f) => (
        <NumberField
          label={label}
          optional
          unit="%"
          min={0}
          max={100}
          refuse={(value) => percentRefusal(name, value)}
          {...f}
        />
      )}
    </FormField>
  )
  return (
    <Form form={form} onSubmit={submit} label={material ? material.name : 'New material'}>
      <FieldGrid min={170}>
        <FormField control={control} name="kind">
          {(f) => (
            <SelectField
              label="Kind"
              options={materialKinds.map((value) => ({ value, label: kindLabel[value] }))}
              {...f}
              onChange={(value) => {
                f.onChange(value)
                const usually = usualPackage[value]
                setValue('package', usually.package)
                setValue('unit', usually.unit)
                setValue('packageSize', usually.size)
              }}
            />
          )}
        </FormField>
        <FormField control={control} name="name" needed="What is it called?">
          {(f) => <TextField label="Name" maxLength={80} placeholder="Fertilizer 24-0-11" {...f} />}
        </FormField>
        {kind === 'herbicide' ? (
          <FormField
            control={control}
            name="productId"
            {...(material && !material.productId
              ? {}
              : { needed: 'A rate comes only from a label: choose its product.' })}
          >
            {(f) => (
              <SelectField
                label="Product"
                hint="Its label says how much may go down."
                options={[
                  { value: '', label: 'Choose a product' },
                  ...products.map(({ id, name }) => ({ value: id, label: name })),
                ]}
                {...f}
                onChange={(value) => {
                  f.onChange(value)
                  const product = products.find(({ id }) => id === value)
                  if (product) setValue('unit', product.unit)
                }}
              />
            )}
          </FormField>
        ) : null}
        {kind === 'herbicide' && catalog.isError && !catalog.data ? (
          <ErrorState
            compact
            error={catalog.error}
            title="We could not load your products"
            onRetry={() => void catalog.refetch()}
            retrying={catalog.isFetching}
          />
        ) : null}
        {kind === 'fertilizer' ? (
          <>
            {percent('nitrogenPercent', 'N, nitrogen')}
            {percent('phosphatePercent', 'P₂O₅, phosphate')}
            {percent('potashPercent', 'K₂O, potash')}
            {maybe('slowPercent', 'Slow-release N')}
          </>
        ) : null}
        {kind === 'seed' ? (
          <>
            {maybe('purityPercent', 'Purity')}
            {maybe('germinationPercent', 'Germination')}
          </>
        ) : null}
        <FormField control={control} name="package">
          {(f) => <SelectField label="Comes as" options={packages.map((value) => ({ value, label: value }))} {...f} />}
        </FormField>
        <FormField control={control} name="packageSize" needed="How much is in one?">
          {(f) => <NumberField label={`Per ${one}`} unit={unit} min={0} {...f} />}
        </FormField>
        <FormField control={control} name="unit">
          {(f) => (
            <SelectField label="Measured in" options={unitsOf[kind].map((value) => ({ value, label: value }))} {...f} />
          )}
        </FormField>
        {unit === 'lb' ? null : (
          <FormField control={control} name="weightPounds">
            {(f) => (
              <NumberField
                label={`Weight of one ${one}`}
                optional
                unit="lb"
                min={0}
                hint={isBulk(kind) ? 'Left empty: the usual weight of a yard.' : undefined}
                {...f}
              />
            )}
          </FormField>
        )}
        {seesMoney ? (
          <FormField control={control} name="costCents">
            {(f) => <MoneyField label={`Price per ${one}`} optional refuse={priceRefusal} {...f} />}
          </FormField>
        ) : null}
        {material ? null : (
          <FormField control={control} name="onHand">
            {(f) => <NumberField label="On hand" optional unit={one} min={0} {...f} />}
          </FormField>
        )}
        <FormField control={control} name="reorderAt">
          {(f) => (
            <NumberField
              label="Reorder at"
              optional
              unit={one}
              min={0}
              hint="At so many or fewer it is on the purchase list."
              {...f}
            />
          )}
        </FormField>
      </FieldGrid>
      <FormActions>
        <Button
          type="submit"
          kind="primary"
          calls={material ? materialsApi.update : materialsApi.create}
          loading={formState.isSubmitting}
          disabled={material !== null && !formState.isDirty}
        >
          {material ? 'Save changes' : 'Add it'}
        </Button>
      </FormActions>
      {versioned.dialog}
    </Form>
  )
}
