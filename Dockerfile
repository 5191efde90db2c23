# Pics in one image, with a PostgreSQL of its own:
#
#     docker build --tag pics .
#     docker run --publish 8080:8080 --volume pics:/data --env PICS_BASE_URL=https://pics.example --stop-timeout 60 pics
#
# With --env PICS_DATABASE_URL=postgresql://… it uses that server instead.

FROM swift:6.3.1-bookworm AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends \
        libarchive-dev libcurl4-openssl-dev libexpat1-dev libgexiv2-dev libidn2-dev libnghttp2-dev libpq-dev libqrencode-dev libseccomp-dev libsecp256k1-dev \
        libssl-dev libvips-dev pkg-config zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Package.swift ./
COPY script/toolchain.sh script/without-unwind-tables.ld script/
COPY Sources Sources
COPY Tests Tests
RUN bash -c 'source script/toolchain.sh \
    && swift build "${release_options[@]}" --product pics \
    && swift build "${release_options[@]}" --product pics-media' \
    && install -D --strip --target-directory=/programs .build/release/pics .build/release/pics-media

FROM debian:12.11-slim
# Pics makes its own cluster in its volume: Debian's is not wanted, nor Perl's modules, which its scripts around clusters need. Files that
# nothing opens here are not unpacked, as in Debian's slim images the manuals: PostgreSQL's compiler, which Pics turns off, drivers
# of screens and video cards, and what libvips would open other formats with. They are half of what Debian installs.
RUN mkdir -p /etc/postgresql-common/createcluster.d \
    && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.d/no-main-cluster.conf \
    && printf 'path-exclude %s\n' \
        '/usr/lib/*/libLLVM*' '/usr/lib/llvm-*' '/usr/lib/*/libz3.*' '/usr/lib/postgresql/*/bitcode/*' '/usr/lib/postgresql/*/llvmjit*' \
        '/usr/lib/*/dri/*' '/usr/lib/*/mfx/*' '/usr/lib/*/libmfxhw64*' '/usr/lib/*/libmfx-tracer*' '/usr/share/X11/*' \
        '/usr/lib/*/vips-modules-*/vips-[!h]*' '/usr/lib/*/ImageMagick*' '/usr/lib/*/libMagick*' '/usr/lib/*/libpoppler*' \
        '/usr/share/fonts/*' '/usr/share/i18n/*' '/usr/share/icons/*' '/usr/share/mime/packages/*' \
        > /etc/dpkg/dpkg.cfg.d/pics \
    && apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        ca-certificates ffmpeg libarchive13 libcurl4 libexpat1 libgexiv2-2 libheif1 libidn2-0 libnghttp2-14 libpq5 libqrencode4 libseccomp2 libsecp256k1-1 \
        libssl3 \
        libvips42 postgresql-15 tzdata util-linux \
        zlib1g \
    && rm -rf /var/lib/apt/lists/* /etc/dpkg/dpkg.cfg.d/pics /usr/lib/*/perl /usr/lib/*/libperl.* /usr/share/perl \
    && useradd --uid 10001 --user-group --home-dir /data --no-create-home --shell /usr/sbin/nologin pics \
    && install -d -o pics -g pics -m 0700 /data
COPY --from=build /programs/ /usr/local/bin/
# Nothing that these programs load was left out.
RUN test -e /usr/lib/*/vips-modules-*/vips-heif.so && ! ldd /usr/local/bin/* /usr/bin/ffmpeg /usr/bin/ffprobe \
        /usr/lib/postgresql/*/bin/* /usr/lib/postgresql/*/lib/*.so /usr/lib/*/vips-modules-*/vips-heif.so | grep 'not found'
WORKDIR /opt/pics
COPY migrations migrations
COPY config config

USER pics
ENV LANG=C.UTF-8 PICS_DATA_DIR=/data PICS_LISTEN=0.0.0.0:8080
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# Asks /readyz.
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["pics", "status", "--ready"]
ENTRYPOINT ["pics"]
CMD ["serve"]
