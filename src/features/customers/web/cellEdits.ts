import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { ApiError, call } from '../../../shared/client.ts'
import { formatPhone } from '../../../shared/phone.ts'
import { type Source, saveOver } from '../../../ui/saveOver.ts'
import type { CellEdit } from '../../../ui/tableProps.ts'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type CustomerListItem, type CustomerRecord, customersApi, type Property } from '../contract.ts'
import type { CustomFieldRecord } from '../custom/contract.ts'
import { type CustomValue, customText, longestText, readCustomText } from '../custom/rules.ts'

type Row = CustomerListItem
type Page = { items: Row[]; nextCursor: string | null; total: number }

/** What a cell stands for: where its value is read and how it is sent. */
type Cell<V> = {
  id: string
  what: string
  ofRow: (row: Row) => V
  ofRecord: (record: CustomerRecord, property: Property | undefined) => V
  /** Read from what was typed; a text says what is wrong. */
  read: (text: string) => { value: V } | string
  show: (value: V) => string
  body: (value: V) => object
  /** Of the first property, not of the customer. */
  place?: boolean
}

const tagsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

const plain = (field: 'name' | 'email' | 'phone', what: string): Cell<string | null> => ({
  id: field,
  what,
  ofRow: (row) => row[field],
  ofRecord: (record) => record[field],
  read: (text) => (field === 'name' && text.trim() === '' ? 'The name is missing.' : { value: text.trim() || null }),
  show: (value) => (value && field === 'phone' ? formatPhone(value) : (value ?? '')),
  body: (value) => ({ [field]: value }),
})

const tags: Cell<string[]> = {
  id: 'tags',
  what: 'tags',
  ofRow: (row) => row.tags,
  ofRecord: (record) => record.tags,
  read: (text) => ({ value: tagsOf(text) }),
  show: (value) => value.join(', '),
  body: (value) => ({ tags: value }),
}

const custom = (field: CustomFieldRecord): Cell<CustomValue | null> => ({
  id: field.id,
  what: field.name,
  place: field.record === 'property',
  ofRow: (row) => (field.record === 'customer' ? row.custom : row.propertyCustom)[field.id] ?? null,
  ofRecord: (record, property) => (field.record === 'customer' ? record.custom : property?.custom)?.[field.id] ?? null,
  read: (text) => {
    if (field.type === 'yesno') return { value: text === '' ? null : text === 'yes' }
    if (field.type === 'choice') return { value: text || null }
    const { value, problem } = readCustomText(field, text)
    return problem ?? { value }
  },
  show: (value) => customText(field, value ?? undefined),
  body: (value) => ({ custom: { [field.id]: value } }),
})

const refusalOf = (error: unknown): string => {
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) throw error
  return error.errors[0]?.message ?? error.message
}

/** Names, phones, e-mails, tags and custom fields are changed in the list itself: checked against what others changed, and taken back by Undo. */
export const useCellEdits = () => {
  const client = useQueryClient()
  const may = useMay()
  /** What this list saved last of a record: a second change in a row is no change by somebody else. */
  const versions = useRef(new Map<string, number>())

  const show = (row: Row, change: (now: Row) => Row) =>
    client.setQueriesData<InfiniteData<Page>>({ queryKey: ['customers', 'list'] }, (data) =>
      data?.pages
        ? {
            ...data,
            pages: data.pages.map((page) => ({
              ...page,
              items: page.items.map((one) => (one.id === row.id ? change(one) : one)),
            })),
          }
        : data,
    )

  const put = async <V>(cell: Cell<V>, row: Row, value: V, over: V): Promise<string | null> => {
    const target = cell.place ? row.propertyId : row.id
    const version = cell.place ? row.propertyVersion : row.version
    if (target === null || version === null)
      return 'There is no property to keep this at. Open the customer and add one.'
    type Held = { version: number; value: V }
    const source: Source<Held, { value: V }> = {
      read: (held) => ({ value: held.value }),
      load: async () => {
        const record = await call(customersApi.get, { params: { id: row.id } })
        const property = record.properties.find(({ id }) => id === row.propertyId)
        const held = cell.place ? property : record
        return held && { version: held.version, value: cell.ofRecord(record, property) }
      },
    }
    const opened = { version: Math.max(version, versions.current.get(target) ?? 0), value: over }
    const clash = await saveOver(source, opened, { value }, async (_changes, held) => {
      const body = { ...cell.body(value), version: held.version }
      const params = { id: target }
      if (cell.place) {
        const saved = await call(customersApi.updateProperty, { params, body })
        versions.current.set(target, saved.version)
        show(row, (now) => ({ ...now, propertyCustom: saved.custom, propertyVersion: saved.version }))
      } else {
        const saved = await call(customersApi.update, { params, body })
        versions.current.set(target, saved.version)
        const { name, email, phone, custom: values, version: next } = saved
        show(row, (now) => ({ ...now, name, email, phone, tags: saved.tags, custom: values, version: next }))
      }
    })
    if (!clash) {
      void client.invalidateQueries({ queryKey: ['customers'] })
      return null
    }
    // the person reads the other's word now: the next Enter goes over it
    versions.current.set(target, clash.theirs.version)
    const theirs = cell.show(clash.theirs.value)
    return `Somebody ${theirs ? `wrote “${theirs}”` : 'emptied this'} meanwhile. Enter saves yours over it, Escape keeps theirs.`
  }

  const of = <V>(cell: Cell<V>): Pick<CellEdit<Row>, 'save'> => ({
    save: async (row, text) => {
      const read = cell.read(text)
      if (typeof read === 'string') return read
      const before = cell.ofRow(row)
      try {
        const refused = await put(cell, row, read.value, before)
        if (refused !== null) return refused
      } catch (error) {
        return refusalOf(error)
      }
      toast.undo(`${row.name}: ${cell.what} is saved`, () => {
        void put(cell, row, before, read.value)
          .then((refused) => {
            if (refused) toast.error('It was changed again since, so it stays as it is now.')
          })
          .catch(toast.error)
      })
      return null
    },
  })

  const mayChange = may(customersApi.update)
  const can = (row: Row) => row.archivedAt === null
  const edit = <V>(cell: Cell<V>, more: Omit<CellEdit<Row>, 'save' | 'text'> & { text?: CellEdit<Row>['text'] }) =>
    mayChange ? { edit: { can, text: (row: Row) => cell.show(cell.ofRow(row)), ...more, ...of(cell) } } : {}

  return {
    name: edit(plain('name', 'name'), { label: 'Name', maxLength: 120 }),
    email: edit(plain('email', 'e-mail'), { label: 'E-mail', inputMode: 'email', maxLength: 254 }),
    phone: edit(plain('phone', 'phone'), { label: 'Phone', inputMode: 'tel', maxLength: 40 }),
    tags: edit(tags, { label: 'Tags, with commas between', maxLength: 1300 }),
    custom: (field: CustomFieldRecord) =>
      edit(custom(field), {
        label: field.name,
        can: (row) => can(row) && (field.record === 'customer' || row.propertyId !== null),
        ...(field.type === 'yesno'
          ? {
              text: (row: Row) => {
                const value = custom(field).ofRow(row)
                return value === null ? '' : value ? 'yes' : 'no'
              },
              options: () => [
                { value: 'yes', label: 'Yes' },
                { value: 'no', label: 'No' },
              ],
            }
          : field.type === 'choice'
            ? {
                text: (row: Row) => String(custom(field).ofRow(row) ?? ''),
                options: (row: Row) =>
                  field.choices
                    .filter(({ id, gone }) => !gone || id === custom(field).ofRow(row))
                    .map(({ id, name }) => ({ value: id, label: name })),
              }
            : {
                text: (row: Row) => {
                  const value = custom(field).ofRow(row) ?? undefined
                  const day = typeof value === 'string' && field.type === 'date' ? value.split('-') : null
                  return day
                    ? `${Number(day[1])}/${Number(day[2])}/${day[0]}`
                    : customText(field, value, { file: true })
                },
                inputMode: field.type === 'number' ? ('decimal' as const) : ('text' as const),
                maxLength: longestText,
              }),
      }),
  }
}
