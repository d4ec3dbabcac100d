import { useState } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { TextField } from '../../../ui/TextField.tsx'
import { toast } from '../../../ui/toast.tsx'
import { categoriesApi, type ExpenseCategory } from '../categories/contract.ts'
import { useCategory } from './data.ts'

const wordsOf = (error: unknown): string =>
  error && typeof error === 'object' && 'errors' in error && Array.isArray(error.errors) && error.errors[0]?.message
    ? String(error.errors[0].message)
    : error instanceof Error
      ? error.message
      : 'It was not saved. Try again.'

const Row = ({ category }: { category: ExpenseCategory }) => {
  const [name, setName] = useState<string | null>(null)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const wish = useCategory()
  const { id, version } = category
  const put = (verb: 'archive' | 'restore') =>
    wish.mutateAsync({ verb, id, version }).then(
      () => toast.success(`${category.name} ${verb === 'archive' ? 'archived' : 'restored'}`),
      (error) => setProblem(wordsOf(error)),
    )
  const save = async () => {
    if (!name?.trim()) return setProblem('Name the category.')
    try {
      if (name.trim() !== category.name) await wish.mutateAsync({ verb: 'rename', id, name: name.trim(), version })
      setName(null)
      setProblem(undefined)
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  if (name !== null)
    return (
      <li>
        <form
          className="exp-cat__edit"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <TextField
            label={`New name of ${category.name}`}
            hideLabel
            maxLength={60}
            value={name}
            onChange={setName}
            error={problem}
            autoFocus
          />
          <Button size="s" kind="primary" type="submit" loading={wish.isPending}>
            Save
          </Button>
          <Button
            size="s"
            onClick={() => {
              setName(null)
              setProblem(undefined)
            }}
          >
            Cancel
          </Button>
        </form>
      </li>
    )
  return (
    <li>
      <span className="panel-rows__main">
        <span className={category.archived ? 'muted' : undefined}>{category.name}</span>
        {problem ? (
          <span role="alert" className="ui-field__error">
            {problem}
          </span>
        ) : null}
      </span>
      <span className="exp-cat__tools">
        {category.archived ? (
          <Button
            size="s"
            aria-label={`Restore ${category.name}`}
            loading={wish.isPending}
            onClick={() => put('restore')}
          >
            Restore
          </Button>
        ) : (
          <>
            <Button size="s" kind="quiet" aria-label={`Rename ${category.name}`} onClick={() => setName(category.name)}>
              Rename
            </Button>
            <Button
              size="s"
              kind="quiet"
              aria-label={`Archive ${category.name}`}
              loading={wish.isPending}
              onClick={() => put('archive')}
            >
              Archive
            </Button>
          </>
        )}
      </span>
    </li>
  )
}

/** The categories of a business: the field's, renamed and added to as it keeps its own books. */
export const Categories = ({
  open,
  categories,
  onClose,
}: {
  open: boolean
  categories: readonly ExpenseCategory[]
  onClose: () => void
}) => {
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const add = useCategory()
  const save = async () => {
    if (!name.trim()) return setProblem('Name the category.')
    try {
      await add.mutateAsync({ verb: 'create', name: name.trim() })
      toast.success(`${name.trim()} added`)
      setName('')
      setProblem(undefined)
    } catch (error) {
      setProblem(wordsOf(error))
    }
  }
  return (
    <Dialog open={open} onClose={onClose} title="Categories">
      <div className="exp-cats">
        <p className="muted">A new name also stands on what was spent before. Archived ones are offered no longer.</p>
        <form
          className="exp-cat__edit"
          onSubmit={(event) => {
            event.preventDefault()
            void save()
          }}
        >
          <TextField
            label="New category"
            hideLabel
            placeholder="New category, like Uniforms"
            maxLength={60}
            value={name}
            onChange={setName}
            error={problem}
          />
          <Button calls={categoriesApi.create} type="submit" loading={add.isPending}>
            Add
          </Button>
        </form>
        <ul className="panel-rows">
          {categories.map((category) => (
            <Row key={category.id} category={category} />
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
