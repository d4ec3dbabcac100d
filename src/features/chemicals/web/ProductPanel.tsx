import { useForm } from 'react-hook-form'
import { call } from '../../../shared/client.ts'
import { FieldGrid } from '../../../ui/FieldGrid.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { RecordPanel } from '../../../ui/RecordPanel.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { SwitchField } from '../../../ui/SwitchField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { useVersioned } from '../../../ui/useVersioned.tsx'
import { type ChemicalProduct, chemicalsApi } from '../contract.ts'
import { defaultSkill, type ProductUnit, productUnits, type SignalWord, signalLabel, signalWords } from '../rules.ts'
import { useChemicals } from './data.ts'
import { EditorFooter } from './EditorFooter.tsx'
import { saveRecord } from './saveRecord.ts'

type Values = {
  name: string
  epaNumber: string
  formulation: string
  signalWord: SignalWord
  restricted: boolean
  licenseSkill: string
  reentryHours: number | null
  unit: ProductUnit
  labelLow: number | null
  labelHigh: number | null
  labelUrl: string
}

const valuesOf = (product: ChemicalProduct | null): Values => ({
  name: product?.name ?? '',
  epaNumber: product?.epaNumber ?? '',
  formulation: product?.formulation ?? '',
  signalWord: product?.signalWord ?? '',
  restricted: product?.restricted ?? false,
  licenseSkill: product?.licenseSkill ?? defaultSkill,
  reentryHours: product?.reentryHours ?? 0,
  unit: product?.unit ?? 'fl oz',
  labelLow: product?.labelLow ?? null,
  labelHigh: product?.labelHigh ?? null,
  labelUrl: product?.labelUrl ?? '',
})
const bodyOf = (values: Values) => ({ ...values, reentryHours: values.reentryHours ?? 0 })
type Body = ReturnType<typeof bodyOf>

const yesNo = (is: boolean): string => (is ? 'Yes' : 'No')

/** A product as its label has it. */
export const ProductPanel = ({
  product: shown,
  canEdit,
  onClose,
}: {
  product: ChemicalProduct | null
  canEdit: boolean
  onClose: () => void
}) => {
  const { addProduct, changeProduct } = useChemicals()
  const versioned = useVersioned<ChemicalProduct, Body>({
    record: shown,
    read: (record) => bodyOf(valuesOf(record)),
    load: async () => {
      const found = (await call(chemicalsApi.catalog, {})).products.find(({ id }) => id === shown?.id)
      if (!found) throw new Error('The product is not there any more.')
      return found
    },
    words: {
      name: 'Name',
      epaNumber: 'EPA registration number',
      formulation: 'Formulation',
      signalWord: { label: 'Signal word', show: (word) => signalLabel[word] },
      restricted: { label: 'Restricted use', show: yesNo },
      licenseSkill: 'License it takes',
      reentryHours: 'Keep off',
      unit: 'Measured in',
      labelLow: 'Label, least',
      labelHigh: 'Label, most',
      labelUrl: 'Label',
    },
  })
  const product = versioned.opened
  const form = useForm<Values>({ defaultValues: valuesOf(product) })
  const { control } = form
  const submit = (values: Values) =>
    saveRecord({
      body: bodyOf(values),
      record: product,
      versioned,
      add: addProduct.mutateAsync,
      change: changeProduct.mutateAsync,
      onClose,
    })
  return (
    <RecordPanel
      open
      onClose={onClose}
      width={520}
      title={product ? product.name : 'New product'}
      sub="As it stands on the label. Records keep what was true when they were written."
      footer={
        canEdit ? (
          <EditorFooter
            noun="product"
            record={product}
            form="chemical-product"
            addCalls={chemicalsApi.addProduct}
            changeCalls={chemicalsApi.updateProduct}
            saving={addProduct.isPending || changeProduct.isPending}
            onArchive={(body) => changeProduct.mutateAsync(body)}
            onClose={onClose}
          />
        ) : undefined
      }
    >
      <Form form={form} onSubmit={submit} id="chemical-product" label="Product">
        <fieldset className="svc-bare" disabled={!canEdit}>
          <FormField control={control} name="name">
            {(f) => <TextField label="Name on the label" maxLength={120} {...f} />}
          </FormField>
          <FieldGrid min={200}>
            <FormField control={control} name="epaNumber">
              {(f) => (
                <TextField label="EPA reg. no." optional maxLength={40} hint="Fertilizer alone has none." {...f} />
              )}
            </FormField>
            <FormField control={control} name="formulation">
              {(f) => <TextField label="Formulation" optional maxLength={60} placeholder="Liquid, granular" {...f} />}
            </FormField>
            <FormField control={control} name="unit">
              {(f) => (
                <SelectField
                  label="Measured in"
                  options={productUnits.map((unit) => ({ value: unit, label: unit }))}
                  {...f}
                />
              )}
            </FormField>
            <FormField control={control} name="reentryHours">
              {(f) => <NumberField label="Keep off the lawn for" unit="h" min={0} max={720} {...f} />}
            </FormField>
            <FormField control={control} name="labelLow">
              {(f) => (
                <NumberField label="Label, least for 1,000 sq ft" optional unit={form.watch('unit')} min={0} {...f} />
              )}
            </FormField>
            <FormField control={control} name="labelHigh">
              {(f) => (
                <NumberField
                  label="Label, most for 1,000 sq ft"
                  optional
                  unit={form.watch('unit')}
                  min={0}
                  hint="The calculator and the mixes refuse more."
                  {...f}
                />
              )}
            </FormField>
            <FormField control={control} name="signalWord">
              {(f) => (
                <SelectField
                  label="Signal word"
                  options={signalWords.map((word) => ({ value: word, label: signalLabel[word] }))}
                  {...f}
                />
              )}
            </FormField>
            <FormField control={control} name="licenseSkill">
              {(f) => (
                <TextField
                  label="License it takes"
                  optional
                  maxLength={40}
                  hint="As your people’s licenses name it. Empty: nobody needs one."
                  {...f}
                />
              )}
            </FormField>
          </FieldGrid>
          <FormField control={control} name="restricted">
            {(f) => (
              <SwitchField
                label="Restricted-use product"
                hint="Nobody records it without a valid license of this category, or a supervisor who has one."
                {...f}
              />
            )}
          </FormField>
          <FormField control={control} name="labelUrl">
            {(f) => (
              <TextField
                label="Link to the label"
                type="url"
                optional
                maxLength={500}
                placeholder="https://"
                hint="Your customers get it with the notice after a treatment."
                {...f}
              />
            )}
          </FormField>
        </fieldset>
      </Form>
      {versioned.dialog}
    </RecordPanel>
  )
}
