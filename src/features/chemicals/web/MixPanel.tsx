import { useFieldArray, useForm, useWatch } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { IconPlus, IconTrash } from '../../../ui/icons.ts'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { type ChemicalMix, type ChemicalProduct, chemicalsApi } from '../contract.ts'
import { amountFor, carrierFor, plainNumber } from '../rules.ts'
import { useChemicals } from './data.ts'
import { EditorFooter } from './EditorFooter.tsx'
import { MixServices } from './MixServices.tsx'
import { saveRecord } from './saveRecord.ts'

type Values = {
  name: string
  carrierGallons: number | null
  target: string
  method: string
  equipment: string
  products: { productId: string; rate: number | null }[]
  serviceIds: string[]
}

const valuesOf = (mix: ChemicalMix | null): Values => ({
  name: mix?.name ?? '',
  carrierGallons: mix?.carrierGallons ?? null,
  target: mix?.target ?? '',
  method: mix?.method ?? '',
  equipment: mix?.equipment ?? '',
  products: mix ? mix.products.map((one) => ({ ...one })) : [{ productId: '', rate: null }],
  serviceIds: [...(mix?.serviceIds ?? [])],
})
const bodyOf = (values: Values) => ({
  ...values,
  serviceIds: [...values.serviceIds].sort(),
  products: values.products.map(({ productId, rate }) => ({ productId, rate: rate ?? 0 })),
})
type Body = ReturnType<typeof bodyOf>

/** The lawn by which a mix is tried while it is made. */
const tryOnSquareFeet = 8_000

const Tried = ({ values, products }: { values: Values; products: readonly ChemicalProduct[] }) => {
  const lines = values.products.flatMap(({ productId, rate }) => {
    const product = products.find(({ id }) => id === productId)
    return product && rate
      ? [`${plainNumber(amountFor(rate, tryOnSquareFeet))} ${product.unit} of ${product.name}`]
      : []
  })
  const water = carrierFor(values.carrierGallons, tryOnSquareFeet)
  if (lines.length === 0) return null
  return (
    <Banner tone="info" title={`On ${tryOnSquareFeet.toLocaleString('en-US')} sq ft`}>
      {[...lines, ...(water === null ? [] : [`${plainNumber(water)} gal of water`])].join(', ')}
    </Banner>
  )
}

/** What goes into the tank or the spreader, by 1,000 square feet. */
export const MixPanel = ({
  mix: shown,
  products,
  canEdit,
  onClose,
}: {
  mix: ChemicalMix | null
  products: readonly ChemicalProduct[]
  canEdit: boolean
  onClose: () => void
}) => {
  const { addMix, changeMix } = useChemicals()
  const nameOf = (id: string): string => products.find((one) => one.id === id)?.name ?? 'a product'
  const versioned = useVersioned<ChemicalMix, Body>({
    record: shown,
    read: (record) => bodyOf(valuesOf(record)),
    load: async () => {
      const found = (await call(chemicalsApi.catalog, {})).mixes.find(({ id }) => id === shown?.id)
      if (!found) throw new Error('The mix is not there any more.')
      return found
    },
    words: {
      name: 'Name',
      carrierGallons: { label: 'Water', show: (n) => (n === null ? 'Spread dry' : `${plainNumber(n)} gal`) },
      target: 'Target',
      method: 'Method',
      equipment: 'Equipment',
      products: {
        label: 'Products',
        show: (list) => list.map(({ productId, rate }) => `${nameOf(productId)} ${plainNumber(rate)}`).join(', '),
      },
      serviceIds: { label: 'Used for', show: (list) => (list.length === 1 ? '1 service' : `${list.length} services`) },
    },
  })
  const mix = versioned.opened
  const form = useForm<Values>({ defaultValues: valuesOf(mix) })
  const { control } = form
  const lines = useFieldArray({ control, name: 'products' })
  const values = useWatch({ control }) as Values
  const submit = async (typed: Values) => {
    const wrong = typed.products.findIndex(({ productId, rate }) => productId === '' || !rate || rate <= 0)
    const line = typed.products[wrong]
    if (line)
      return line.productId === ''
        ? form.setError(`products.${wrong}.productId`, { message: 'Which product?' }, { shouldFocus: true })
        : form.setError(`products.${wrong}.rate`, { message: 'How much for 1,000 sq ft?' }, { shouldFocus: true })
    await saveRecord({
      body: bodyOf(typed),
      record: mix,
      versioned,
      add: addMix.mutateAsync,
      change: changeMix.mutateAsync,
      onClose,
    })
  }
  return (
    <RecordPanel
      open
      onClose={onClose}
      width={560}
      title={mix ? mix.name : 'New mix'}
      sub="One tap of the crew writes it down: rates times the measured lawn."
      footer={
        canEdit ? (
          <EditorFooter
            noun="mix"
            record={mix}
            form="chemical-mix"
            addCalls={chemicalsApi.addMix}
            changeCalls={chemicalsApi.updateMix}
            saving={addMix.isPending || changeMix.isPending}
            onArchive={(body) => changeMix.mutateAsync(body)}
            onClose={onClose}
          />
        ) : undefined
      }
    >
      <Form form={form} onSubmit={submit} id="chemical-mix" label="Mix">
        <fieldset className="svc-bare" disabled={!canEdit}>
          <FormField control={control} name="name">
            {(f) => <TextField label="Name" maxLength={80} placeholder="Weed control, round 2" {...f} />}
          </FormField>
          <h3 className="svc-head">For 1,000 sq ft</h3>
          {lines.fields.map((field, index) => {
            const unit = products.find(({ id }) => id === values.products[index]?.productId)?.unit
            return (
              <div className="chem-line" key={field.id}>
                <FormField control={control} name={`products.${index}.productId`}>
                  {(f) => (
                    <SelectField
                      label="Product"
                      placeholder="Choose"
                      options={products
                        .filter(({ archivedAt, id }) => archivedAt === null || id === f.value)
                        .map(({ id, name }) => ({ value: id, label: name }))}
                      {...f}
                    />
                  )}
                </FormField>
                <FormField control={control} name={`products.${index}.rate`}>
                  {(f) => <NumberField label="Rate" {...(unit ? { unit } : {})} min={0} step={0.1} {...f} />}
                </FormField>
                {lines.fields.length > 1 ? (
                  <IconButton
                    size="s"
                    label={`Take product ${index + 1} out`}
                    icon={<IconTrash />}
                    onClick={() => lines.remove(index)}
                  />
                ) : null}
              </div>
            )
          })}
          {lines.fields.length < 8 ? (
            <div>
              <Button
                size="s"
                kind="quiet"
                icon={<IconPlus />}
                onClick={() => lines.append({ productId: '', rate: null })}
              >
                Add a product to the mix
              </Button>
            </div>
          ) : null}
          <FormField control={control} name="carrierGallons">
            {(f) => (
              <NumberField
                label="Water"
                optional
                unit="gal"
                min={0}
                step={0.5}
                hint="Empty: it is spread dry."
                {...f}
              />
            )}
          </FormField>
          <Tried values={values} products={products} />
          <h3 className="svc-head">Used for</h3>
          <p className="hint">Crews have it on their load list for these services, and their phones offer it first.</p>
          <FormField control={control} name="serviceIds">
            {(f) => <MixServices value={f.value} onChange={f.onChange} />}
          </FormField>
          <h3 className="svc-head">What each record begins with</h3>
          <FormField control={control} name="target">
            {(f) => <TextField label="Target" optional maxLength={120} placeholder="Crabgrass, dollarweed" {...f} />}
          </FormField>
          <FieldGrid min={180}>
            <FormField control={control} name="method">
              {(f) => <TextField label="Method" optional maxLength={80} placeholder="Broadcast spray" {...f} />}
            </FormField>
            <FormField control={control} name="equipment">
              {(f) => <TextField label="Equipment" optional maxLength={80} placeholder="Z-Spray 1" {...f} />}
            </FormField>
          </FieldGrid>
        </fieldset>
      </Form>
      {versioned.dialog}
    </RecordPanel>
  )
}
