let closedAt = Number.NEGATIVE_INFINITY

/** A dialog says that it closed: the Esc that closed it must not also close what lies under it. */
export const noteDialogClosed = (): void => {
  closedAt = performance.now()
}

export const dialogClosedJustNow = (): boolean => performance.now() - closedAt < 150
