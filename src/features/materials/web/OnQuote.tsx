import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { linkTo } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Form } from '../../../ui/Form.tsx'
import { FormActions } from '../../../ui/FormActions.tsx'
import { FormField } from '../../../ui/FormField.tsx'
import { MoneyField } from '../../../ui/MoneyField.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.tsx'
import { quoteName } from '../../quotes/rules.ts'
import { catalogQuery, quotesQuery } from '../../quotes/web/data.ts'
import { materialsApi } from '../contract.ts'
import { amountText, packagesText, priceRefusal, quantityFor, usualMarkupPercent, usualPriceCents } from '../rules.ts'
import { useDeed } from './data.ts'
import type { SaveProps } from './OnLoadList.tsx'
import type { PlaceFacts } from './Place.tsx'

/** A line on a draft for the property, or a new draft, with the material as its cost. */
export const OnQuote = ({
  material,
  choice,
  result,
  place,
  onClose,
}: Omit<SaveProps, 'onDone'> & { place: PlaceFacts }) => {
  const navigate = useNavigate()
  const catalog = useQuery(catalogQuery)
  const drafts = useInfiniteQuery(quotesQuery({ view: 'draft', customerId: place.customerId }))
  const put = useDeed('quoteLine')
  const form = useForm<{ quoteId: string; serviceId: string; priceCents: number | null }>({
    defaultValues: { quoteId: '', serviceId: '', priceCents: null },
  })
  const service = catalog.data?.items.find(({ id }) => id === form.watch('serviceId'))
  const quantity = service ? quantityFor(service.unit, result, material) : 1
  const usualCents = result.costCents === null ? null : usualPriceCents(result.costCents, quantity)
  // follows the service until somebody types a price; before the field is there nothing can be put into it
  const isThere = catalog.data !== undefined && drafts.data !== undefined
  const isOwn = form.formState.dirtyFields.priceCents === true
  const { resetField } = form
  useEffect(() => {
    if (isThere && !isOwn) resetField('priceCents', { defaultValue: usualCents })
  }, [isThere, usualCents, isOwn, resetField])
  if (!catalog.data || !drafts.data)
    return catalog.isError || drafts.isError ? (
      <Banner tone="error">We could not load the quotes. Close this and try again.</Banner>
    ) : (
      <PanelSkeleton />
    )
  const open = drafts.data.pages
    .flatMap(({ items }) => items)
    .filter(({ property }) => property.id === place.propertyId)
  const services = catalog.data.items
  const submit = async ({
    quoteId,
    serviceId,
    priceCents,
  }: {
    quoteId: string
    serviceId: string
    priceCents: number | null
  }) => {
    const made = (await put.mutateAsync({
      body: {
        materialId: material.id,
        choice,
        propertyId: place.propertyId,
        quoteId: quoteId || null,
        serviceId,
        priceCents: priceCents ?? 0,
      },
    })) as unknown as { quoteId: string; number: number }
    toast.success(`${material.name} is on ${quoteName(made.number)}`)
    await navigate(linkTo.quoteBuilder(made.quoteId))
  }
  return (
    <Form form={form} onSubmit={submit} label="To a quote">
      <p>
        {packagesText(result.packages, material.package)} of {material.name} for {place.words}
        {result.costCents === null ? '.' : `, which cost ${formatCents(result.costCents)}.`}
      </p>
      {result.costCents === null ? (
        <Banner tone="warn">Its price is not typed: the quote counts no material.</Banner>
      ) : null}
      <FormField control={form.control} name="quoteId">
        {(f) => (
          <SelectField
            label="Quote"
            options={[
              { value: '', label: 'A new draft' },
              ...open.map(({ id, number, title }) => ({ value: id, label: `${quoteName(number)} ${title}` })),
            ]}
            {...f}
          />
        )}
      </FormField>
      <FormField control={form.control} name="serviceId" needed="Which work is it?">
        {(f) => (
          <SelectField
            label="Service"
            placeholder="Choose a service"
            options={services.map(({ id, name }) => ({ value: id, label: name }))}
            {...f}
          />
        )}
      </FormField>
      <FormField control={form.control} name="priceCents" needed="What does the customer pay?">
        {(f) => (
          <MoneyField
            label={quantity === 1 ? 'The customer pays' : `The customer pays for one of ${amountText(quantity, 3)}`}
            hint={
              usualCents === null
                ? undefined
                : `Cost plus ${usualMarkupPercent}% is ${formatCents(usualCents)}. Change it as you like.`
            }
            refuse={priceRefusal}
            {...f}
          />
        )}
      </FormField>
      <FormActions>
        <Button type="submit" kind="primary" calls={materialsApi.quoteLine} loading={form.formState.isSubmitting}>
          Put it on the quote
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </FormActions>
    </Form>
  )
}
