import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { formatDay } from '../../../shared/dates.ts'
import { linkTo } from '../../../shared/links.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import type { Choice } from '../calculation/contract.ts'
import type { Calculation } from '../calculation/rules.ts'
import { type Material, materialsApi } from '../contract.ts'
import { amountText, visitFor } from '../rules.ts'
import { useDeed, visitsAheadQuery } from './data.ts'
import type { PlaceFacts } from './Place.tsx'

export type SaveProps = {
  material: Material
  choice: Choice
  result: Calculation
  place: PlaceFacts | null
  onClose: () => void
  /** It stands there now: what to say of it, and where. */
  onDone: (words: string, href: string) => void
}

/** Which visit takes it; whatever day and crew that visit is with loads it. */
export const OnLoadList = ({ material, choice, result, place, onClose, onDone }: SaveProps & { place: PlaceFacts }) => {
  const visits = useQuery(visitsAheadQuery(place.propertyId))
  const plan = useDeed('plan')
  const form = useForm<{ visitId: string }>({ defaultValues: { visitId: '' } })
  if (visits.isError)
    return (
      <ErrorState error={visits.error} title="We could not load the visits" onRetry={() => void visits.refetch()} />
    )
  if (!visits.data) return <PanelSkeleton />
  const { items } = visits.data
  if (items.length === 0)
    return (
      <Banner
        tone="warn"
        action={
          <Button size="s" href={linkTo.newJob({ customerId: place.customerId })}>
            Book a job
          </Button>
        }
      >
        No visit is ahead at {place.words}. A load list belongs to a visit.
      </Banner>
    )
  const usual = visitFor(material.kind, items)
  const submit = async ({ visitId }: { visitId: string }) => {
    const visit = items.find(({ id }) => id === visitId) ?? usual
    await plan.mutateAsync({ body: { materialId: material.id, choice, visitId: visit?.id ?? '' } })
    toast.success(`${material.name} is on the load list`)
    const where = [visit?.day ? formatDay(visit.day) : 'no day yet', visit?.crewName ?? 'no crew yet'].join(', ')
    onDone(`Added to the load list: ${where}.`, linkTo.materialLoads())
  }
  return (
    <Form form={form} onSubmit={submit} label="To a load list">
      <p>
        {amountText(result.amount)} {result.unit} of {material.name} for {place.words}.
      </p>
      <FormField control={form.control} name="visitId">
        {(f) => (
          <SelectField
            label="Visit"
            options={items.map(({ id, title, day, crewName }) => ({
              value: id,
              label: [day ? formatDay(day) : 'no day', crewName ?? 'no crew', title].join(' · '),
            }))}
            {...f}
            value={f.value || (usual?.id ?? '')}
          />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" calls={materialsApi.plan} loading={form.formState.isSubmitting}>
          Put it on the list
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}
