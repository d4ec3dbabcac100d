import { useEffect, useRef, useState } from 'react'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx'
import { copyText } from '../../../ui/copy.ts'
import { IconCopy, IconPencil, IconPin, IconTrash, IconUser, IconUsers } from '../../../ui/icons.ts'
import type { MenuItem } from '../../../ui/Menu.tsx'
import { type SavedView, SavedViews } from '../../../ui/SavedViews.tsx'
import { toast } from '../../../ui/toast.tsx'
import { useMay } from '../../accounts/web/session.ts'
import { type ViewRecord, viewsApi } from '../contract.ts'
import { type Hub, isSameView, markOf, type ViewQuery, viewQueryOf } from '../rules.ts'
import { type HubView, useChangeView, useDefaultView, useRemoveView } from './data.ts'
import { NameView } from './NameView.tsx'
import './views.css'

/** A list that every business has. */
export type PlainView = { id: string; name: string; query: ViewQuery; count?: number }
/** A filter of the view that names something which is not there any more; the list leaves it out. */
export type GoneFilter = { key: string; message: string }
type Props = {
  label: string
  at: HubView
  plain: readonly PlainView[]
  /** Which plain view is on where no kept one is. */
  plainId: string | null
  gone?: readonly GoneFilter[]
  /** Goes to a plain view, where its address alone does not say what is to be kept of the filter. */
  onPlain?: (id: string) => void
}

const copyView = (href: string, name: string): Promise<void> =>
  copyText(
    new URL(href, window.location.href).href,
    `The link to “${name}” is copied`,
    'The browser did not let us copy. Open the view and copy its address from the address bar.',
  )

/** The list on the screen is another one because somebody else saved its view anew: that is said. */
const useSwapped = (shown: ViewRecord | null, hub: Hub) => {
  const before = useRef<{ id: string; mark: string } | null>(null)
  const mark = shown ? markOf(hub, shown.query) : ''
  const [id, name] = [shown?.id, shown?.name]
  useEffect(() => {
    if (id && before.current?.id === id && before.current.mark !== mark)
      toast.message(`Somebody saved “${name}” anew: the list shows that now`)
    before.current = id ? { id, mark } : null
  }, [id, name, mark])
}

/** The views of a list: those that every business has, one's own and the shared ones; keeping, changing and deleting them. */
export const HubViews = ({ label, at, plain, plainId, gone = [], onPlain }: Props) => {
  const { hub, view, views, asSaved, params } = at
  const may = useMay()
  const [naming, setNaming] = useState<ViewRecord | 'new' | null>(null)
  const [removing, setRemoving] = useState<ViewRecord | null>(null)
  const [replacing, setReplacing] = useState<ViewRecord | null>(null)
  const changing = useChangeView(hub)
  const remove = useRemoveView(hub)
  const setDefault = useDefaultView(hub)
  const query = viewQueryOf(hub, (key) => params.get(key))
  useSwapped(at.asSaved ? view : null, hub)
  const isPlain = plain.some((one) => isSameView(hub, one.query, query))
  const mayKeep = may(viewsApi.create) && !at.waiting && !at.failed
  const change = (of: ViewRecord, body: { shared?: boolean; query?: ViewQuery }, said: string) =>
    changing.mutate(
      { params: { id: of.id }, body: { version: of.version, ...body } },
      {
        onSuccess: () => {
          toast.success(said)
          if (body.query) at.show(of.id)
        },
        onError: toast.error,
      },
    )
  const menu = (id: string): MenuItem[] => {
    const one = views.find((other) => other.id === id)
    if (!one) return []
    return [
      ...(one.shared ? [{ heading: one.makerName ? `Shared by ${one.makerName}` : 'Shared with the office' }] : []),
      ...(one.can.update ? [{ label: 'Rename', icon: <IconPencil size={18} />, onClick: () => setNaming(one) }] : []),
      ...(one.can.share
        ? [
            {
              label: one.shared ? 'Stop sharing' : 'Share with the office',
              icon: one.shared ? <IconUser size={18} /> : <IconUsers size={18} />,
              onClick: () =>
                change(
                  one,
                  { shared: !one.shared },
                  one.shared ? `Only you have “${one.name}” now` : `Everybody in the office has “${one.name}” now`,
                ),
            },
          ]
        : []),
      ...(may(viewsApi.setDefault)
        ? [
            {
              label: one.isDefault ? 'No longer open with it' : 'Open the list with it',
              icon: <IconPin size={18} />,
              onClick: () =>
                setDefault.mutate(one.isDefault ? null : one.id, {
                  onSuccess: () => {
                    toast.success(
                      one.isDefault ? 'The list opens as before' : `The list opens with “${one.name}” for you`,
                    )
                    // What is on the screen stays: without a default a bare address would show another list.
                    at.show(one.id)
                  },
                  onError: toast.error,
                }),
            },
          ]
        : []),
      {
        label: 'Copy the link',
        icon: <IconCopy size={18} />,
        onClick: () => void copyView(at.hrefOf(one.id), one.name),
      },
      ...(one.can.remove
        ? [{ label: 'Delete', icon: <IconTrash size={18} />, danger: true, onClick: () => setRemoving(one) }]
        : []),
    ]
  }
  const chips: SavedView[] = [
    ...plain.map(({ query: of, ...one }) => ({ ...one, ...(onPlain && !view ? {} : { href: at.plainHref(of) }) })),
    ...views.map(({ id, name, shared }) => ({ id, name, shared, href: at.hrefOf(id) })),
  ]
  return (
    <>
      <SavedViews
        label={label}
        views={chips}
        currentId={view ? view.id : plainId}
        menu={(one) => menu(one.id)}
        {...(onPlain ? { onSelect: onPlain } : {})}
        onSave={mayKeep && !view && !isPlain ? () => setNaming('new') : undefined}
      />
      {at.missing && !at.waiting ? (
        <Banner tone="info">
          {at.failed
            ? 'Your saved views could not be read, so the list shows what it always does. Reload the page to try again.'
            : 'This view is not there any more, or somebody keeps it for themselves. The list shows what it always does.'}
        </Banner>
      ) : null}
      {gone.length > 0 ? (
        <Banner
          tone="info"
          action={
            <Button size="s" onClick={() => at.change(Object.fromEntries(gone.map(({ key }) => [key, null])))}>
              Take it out
            </Button>
          }
        >
          {gone.map(({ message }) => message).join(' ')}
        </Banner>
      ) : null}
      {view && !asSaved && may(viewsApi.create) ? (
        <p className="views-changed">
          <span className="muted">
            {at.overtaken
              ? `Somebody saved something else as “${view.name}” after you began to change it.`
              : `Changed from “${view.name}”${view.makerName ? `, which ${view.makerName} shares` : ''}.`}
          </span>
          {view.can.update && at.overtaken ? (
            <Button size="s" calls={viewsApi.update} onClick={() => setReplacing(view)}>
              Replace it with mine
            </Button>
          ) : view.can.update ? (
            <Button
              size="s"
              kind="primary"
              loading={changing.isPending}
              onClick={() => change(view, { query }, `“${view.name}” shows this from now on`)}
            >
              Save changes to view
            </Button>
          ) : null}
          <Button size="s" onClick={() => setNaming('new')}>
            Save as a new view
          </Button>
          <Button size="s" kind="quiet" onClick={() => at.show(view.id)}>
            {at.overtaken ? 'Show what is saved' : 'Undo the changes'}
          </Button>
        </p>
      ) : null}
      {naming ? (
        <NameView
          hub={hub}
          view={naming === 'new' ? null : naming}
          now={naming === 'new' ? null : (views.find(({ id }) => id === naming.id) ?? null)}
          query={query}
          onClose={() => setNaming(null)}
          onSaved={(saved) => {
            if (naming === 'new') at.show(saved.id)
            setNaming(null)
          }}
        />
      ) : null}
      <ConfirmDialog
        open={replacing !== null}
        onClose={() => setReplacing(null)}
        title={`Replace “${replacing?.name ?? ''}”?`}
        confirmLabel="Replace it"
        danger
        onConfirm={async () => {
          if (!replacing) return
          await changing.mutateAsync({ params: { id: replacing.id }, body: { version: replacing.version, query } })
          at.show(replacing.id)
          toast.success(`“${replacing.name}” shows this from now on`)
        }}
      >
        What the other person saved is lost{replacing?.shared ? ', for everybody in the office' : ''}. To keep both,
        save yours as a new view.
      </ConfirmDialog>
      <ConfirmDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={`Delete “${removing?.name ?? ''}”?`}
        confirmLabel="Delete the view"
        danger
        onConfirm={async () => {
          if (!removing) return
          await remove.mutateAsync(removing.id)
          if (removing.id === view?.id) at.showPlain({})
        }}
      >
        {removing?.shared ? 'It is gone for everybody in the office' : 'It is gone'}, and links to it show the whole
        list. Nothing that it lists is touched.
      </ConfirmDialog>
    </>
  )
}
