import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { linkTo, recordParam } from '../../../shared/links.ts'
import { formatCents } from '../../../shared/money.ts'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CheckboxField } from '../../../ui/CheckboxField.tsx'
import { type Choice, ComboboxField } from '../../../ui/ComboboxField.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { SelectField } from '../../../ui/SelectField.tsx'
import { PanelSkeleton } from '../../../ui/Skeleton.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { MeasureFirst } from '../../customers/areas/web/MeasureFirst.tsx'
import { businessQuery } from '../../invoices/web/data.ts'
import { businessLeadsApi } from '../../leads/contract.ts'
import { notInPrice } from '../../leads/rules.ts'
import { measureFirst, measureOf, measures, measureText, unmeasured } from '../../services/measures/rules.ts'
import { priceNeedsSize } from '../../services/rules.ts'
import { quotesApi } from '../contract.ts'
import { frequencyLabel, inputsAt } from '../rules.ts'
import { templatesQuery } from '../templates/web/data.ts'
import { lineFor, reprice, rowId, seasonDays } from './builder/edit.ts'
import { askedQuery, catalogQuery, customerQuery, findCustomers, useCreateQuote } from './data.ts'
import './quotes.css'

/** A quote in half a minute: for whom, where, which services at the prices of the book; the builder does the rest. */
export const CreateTab = () => {
  const navigate = useNavigate()
  const [params] = useSearchParams()
  const asked = params.get(recordParam.customer) ?? ''
  const leadId = params.get(recordParam.lead)
  const [chosen, setChosen] = useState<Choice | null>(null)
  const [propertyId, setPropertyId] = useState('')
  // null until somebody ticks: then what the visitor chose stands ticked
  const [ticked, setTicked] = useState<string[] | null>(null)
  const [templateId, setTemplateId] = useState('')
  const customer = useQuery(customerQuery(chosen?.value ?? asked))
  const catalog = useQuery(catalogQuery)
  const templates = useQuery(templatesQuery)
  const business = useQuery(businessQuery)
  const create = useCreateQuote()
  const may = useMay()
  const lead = useQuery({ ...askedQuery(leadId ?? ''), enabled: leadId !== null && may(businessLeadsApi.get) })
  useEffect(() => {
    if (customer.data && !chosen) setChosen({ value: customer.data.id, label: customer.data.name })
  }, [customer.data, chosen])
  const places = customer.data?.properties.filter(({ archivedAt }) => !archivedAt) ?? []
  const place = places.find(({ id }) => id === propertyId) ?? places[0]
  const season = business.data ? seasonDays(business.data.seasonStart, business.data.seasonEnd) : 225
  const at = place ?? { ...unmeasured, difficulty: 1 }
  const services = catalog.data?.items ?? []
  // of the request that led here, unless it is for somebody else by now
  const request = lead.data && (chosen === null || chosen.value === asked) ? lead.data : null
  const wished = new Map(request?.chosen.map(({ serviceId, frequency }) => [serviceId, frequency]))
  const serviceIds = ticked ?? services.flatMap(({ id }) => (wished.has(id) ? [id] : []))
  const lines = services
    .filter(({ id }) => serviceIds.includes(id))
    .map((service) => lineFor(service, at, season, wished.get(service.id)))
  // what the chosen work goes by and nobody measured
  const unmeasuredOf = services.flatMap((service) =>
    serviceIds.includes(service.id) &&
    service.priceRule &&
    priceNeedsSize(service.priceRule) &&
    measureOf(service, at).size === null
      ? [service.measuredBy]
      : [],
  )
  const template = templates.data?.find(({ id }) => id === templateId)
  const submit = async () => {
    if (!place) return
    // a template's lines are priced for this property, as if they were added here
    const fromTemplate =
      template?.content.lines.map((line) => {
        const service = services.find(({ id }) => id === line.serviceId)
        if (!service) return { ...line, id: rowId() }
        const inputs = inputsAt(service, at, line.inputs?.firstCut)
        return { ...reprice(line, { inputs }, service, season), id: rowId() }
      }) ?? []
    const { lines: _, ...rest } = template?.content ?? { lines: [] }
    const quote = await create.mutateAsync({
      propertyId: place.id,
      templateId: template?.id ?? null,
      // of the request that led here, unless it is for somebody else by now
      ...(leadId && chosen?.value === asked ? { leadId } : {}),
      ...(template ? { title: template.name } : {}),
      content: { ...rest, lines: [...fromTemplate, ...lines] },
    })
    await navigate(linkTo.quoteBuilder(quote.id))
  }
  return (
    <>
      <PageHeader
        title="New quote"
        sub="Choose who and what; prices come from the book and what the property measures."
      />
      <div className="qt-create">
        <Card title="For whom" as="section">
          <div className="qt-form">
            <ComboboxField
              label="Customer"
              value={chosen}
              onChange={(choice) => {
                setChosen(choice)
                setPropertyId('')
              }}
              autoFocus={asked === ''}
              placeholder="Name, street or e-mail"
              search={findCustomers}
              emptyText="Nobody found. Add them under Customers first."
            />
            {customer.isError ? (
              <ErrorState
                compact
                error={customer.error}
                title="We could not load the customer"
                onRetry={() => void customer.refetch()}
                retrying={customer.isFetching}
              />
            ) : null}
            {customer.isLoading ? <PanelSkeleton /> : null}
            {chosen && customer.data && places.length === 0 ? (
              <Banner
                tone="warn"
                action={
                  <Button size="s" href={linkTo.customer(chosen.value)}>
                    Add a property
                  </Button>
                }
              >
                {customer.data.name} has no property yet.
              </Banner>
            ) : null}
            {places.length > 0 ? (
              <SelectField
                label="Property"
                value={place?.id ?? ''}
                onChange={setPropertyId}
                options={places.map(({ id, street, city }) => ({
                  value: id,
                  label: [street, city].filter(Boolean).join(', '),
                }))}
                hint={
                  place
                    ? [
                        place.lawnSquareFeet === null
                          ? 'The lawn is not measured: prices by size are typed, or come once it is.'
                          : `${place.lawnSquareFeet.toLocaleString('en-US')} sq ft of lawn`,
                        place.bedSquareFeet === null
                          ? null
                          : measureText({ measuredBy: 'beds', size: place.bedSquareFeet }),
                        place.edgeFeet === null ? null : measureText({ measuredBy: 'edges', size: place.edgeFeet }),
                      ]
                        .filter(Boolean)
                        .join(', ')
                    : undefined
                }
              />
            ) : null}
            {templates.isError ? (
              <ErrorState
                compact
                error={templates.error}
                title="We could not load the templates"
                onRetry={() => void templates.refetch()}
                retrying={templates.isFetching}
              />
            ) : null}
            {templates.data && templates.data.length > 0 ? (
              <SelectField
                label="Template"
                value={templateId || 'none'}
                onChange={(value) => setTemplateId(value === 'none' ? '' : value)}
                options={[
                  { value: 'none', label: 'None' },
                  ...templates.data.map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            ) : null}
          </div>
        </Card>
        <Card title="Which work" as="section">
          {catalog.isError ? (
            <ErrorState
              compact
              error={catalog.error}
              title="We could not load the services"
              onRetry={() => void catalog.refetch()}
            />
          ) : catalog.data ? (
            <div className="qt-form">
              {request && request.chosen.length > 0 ? (
                <p className="hint">
                  What {request.name} chose on your page is ticked, as often as they chose it.
                  {request.priceLowCents === null || request.priceHighCents === null
                    ? ''
                    : ` They were told ${
                        request.priceHighCents > request.priceLowCents
                          ? `${formatCents(request.priceLowCents)} to ${formatCents(request.priceHighCents)}`
                          : formatCents(request.priceLowCents)
                      } for a visit with all that is priced there.${
                        request.afterLook.length > 0 ? ` ${notInPrice(request.afterLook)}` : ''
                      }`}
                </p>
              ) : null}
              <div className="qt-services">
                {services.map((service) => {
                  const line = lineFor(service, at, season, wished.get(service.id))
                  return (
                    <CheckboxField
                      key={service.id}
                      label={service.name}
                      hint={
                        line.unitPriceCents === null
                          ? place &&
                            service.priceRule &&
                            priceNeedsSize(service.priceRule) &&
                            measureOf(service, place).size === null
                            ? `${measureFirst[service.measuredBy]} for its price`
                            : 'priced in the builder'
                          : `${formatCents(line.unitPriceCents)}, ${frequencyLabel[line.frequency]}`
                      }
                      value={serviceIds.includes(service.id)}
                      onChange={(on) =>
                        setTicked(on ? [...serviceIds, service.id] : serviceIds.filter((id) => id !== service.id))
                      }
                    />
                  )
                })}
                {services.length === 0 ? (
                  <p className="hint">There are no services yet. Add them under Jobs, Services.</p>
                ) : null}
              </div>
              {place
                ? measures
                    .filter((one) => unmeasuredOf.includes(one))
                    .map((measuredBy) => (
                      <p className="hint" key={measuredBy}>
                        <MeasureFirst measuredBy={measuredBy} place={{ ...place, propertyId: place.id }} orType />
                      </p>
                    ))
                : null}
            </div>
          ) : (
            <PanelSkeleton />
          )}
        </Card>
        {create.error ? <Banner tone="error">{create.error.message}</Banner> : null}
        <Button
          calls={quotesApi.create}
          kind="primary"
          size="l"
          loading={create.isPending}
          disabled={!place}
          onClick={() => void submit().catch(() => undefined)}
        >
          Make the draft and open the builder
        </Button>
      </div>
    </>
  )
}
