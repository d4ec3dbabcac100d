import { useForm } from 'react-hook-form'
import { linkTo } from '../../../shared/links.ts'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { materialsApi } from '../contract.ts'
import { packagesText } from '../rules.ts'
import { useDeed } from './data.ts'
import type { SaveProps } from './OnLoadList.tsx'

/** How many packages are to be bought for it. */
export const OnPurchaseList = ({ material, result, place, onClose, onDone }: SaveProps) => {
  const want = useDeed('want')
  const form = useForm<{ packages: number | null; note: string }>({
    defaultValues: { packages: result.packages, note: place?.words ?? '' },
  })
  return (
    <Form
      form={form}
      label="To the purchase list"
      onSubmit={async ({ packages, note }) => {
        await want.mutateAsync({ body: { materialId: material.id, packages: packages ?? 0, note } })
        toast.success(`${material.name} is on the purchase list`)
        onDone(`Added to the purchase list: ${packagesText(packages ?? 0, material.package)}.`, linkTo.purchases())
      }}
    >
      <p className="muted">{packagesText(material.onHand, material.package)} on hand.</p>
      <FormField control={form.control} name="packages" needed="How many?">
        {(f) => <NumberField label="To buy" unit={material.package} min={0} {...f} />}
      </FormField>
      <FormField control={form.control} name="note">
        {(f) => <TextField label="What for" optional maxLength={300} {...f} />}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" calls={materialsApi.want} loading={form.formState.isSubmitting}>
          Put it on the list
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}
