import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { NumberField } from '../../../ui/NumberField.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { materialsApi } from '../contract.ts'
import { packagesText, purchaseQuestion, shortageOf } from '../rules.ts'
import { useDeed } from './data.ts'
import type { SaveProps } from './OnLoadList.tsx'

/** How many packages are to be bought for it. */
export const OnPurchaseList = ({ material, result, place, onClose, onDone }: SaveProps) => {
  const want = useDeed('want')
  const short = shortageOf(result.packages, material.onHand, material)
  const form = useForm<{ packages: number | null; note: string }>({
    defaultValues: { packages: short > 0 ? short : null, note: place?.words ?? '' },
  })
  // how many were asked about: another number is another question
  const [asked, setAsked] = useState<number | null>(null)
  const typed = form.watch('packages')
  const question =
    asked !== null && asked === typed ? purchaseQuestion(asked, material.package, material.costCents) : null
  return (
    <Form
      form={form}
      label="To the purchase list"
      onSubmit={async ({ packages, note }) => {
        if (asked !== packages && purchaseQuestion(packages ?? 0, material.package, material.costCents) !== null) {
          setAsked(packages)
          return
        }
        await want.mutateAsync({ body: { materialId: material.id, packages: packages ?? 0, note } })
        toast.success(`${material.name} is on the purchase list`)
        onDone(`Added to the purchase list: ${packagesText(packages ?? 0, material.package)}.`, linkTo.purchases())
      }}
    >
      <p className="muted">
        {packagesText(result.packages, material.package)} needed, {packagesText(material.onHand, material.package)} on
        hand.{short === 0 ? ' That is enough; buy what is meant for more.' : ''}
      </p>
      <FormField control={form.control} name="packages" needed="How many?">
        {(f) => <NumberField label="To buy" unit={material.package} min={0} {...f} />}
      </FormField>
      <FormField control={form.control} name="note">
        {(f) => <TextField label="What for" optional maxLength={300} {...f} />}
      </FormField>
      {question ? (
        <Banner tone="warn" title="That is far more than usual">
          {question}
        </Banner>
      ) : null}
      <FormActions>
        <Button type="submit" kind="primary" calls={materialsApi.want} loading={form.formState.isSubmitting}>
          {question ? `Put ${packagesText(typed ?? 0, material.package)} on the list` : 'Put it on the list'}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}
